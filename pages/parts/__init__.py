"""Pieces of pages: each draws one thing, or prepares text for being drawn."""
