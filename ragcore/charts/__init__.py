"""Figures that pages and notebooks share, each with its title, units, n and the table behind it."""
