"""Measuring: question sets, metrics with intervals, paired comparison, calibration and export.

No module in here draws or stores; what they give are frozen dataclasses.
"""
