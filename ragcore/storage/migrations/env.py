"""Alembic's entry: runs on the connection (and in the transaction) that opening the database gives it."""

from alembic import context

from ragcore.storage.evaluation_tables import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
context.run_migrations()
