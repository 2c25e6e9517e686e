"""The commands of ``python -m ragcore``, a module a subject; cli.py puts them together."""
