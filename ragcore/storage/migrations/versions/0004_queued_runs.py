"""Evaluation runs that wait in a queue, and how far the one being carried out is."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.drop_constraint("eval_runs_status", "eval_runs")
    op.create_check_constraint(
        "eval_runs_status", "eval_runs", "status in ('queued', 'running', 'complete', 'cancelled', 'failed')"
    )
    op.add_column("eval_runs", sa.Column("step", sa.Text(), server_default="", nullable=False))
    op.add_column("eval_runs", sa.Column("step_done", sa.Integer(), server_default="0", nullable=False))
    op.add_column("eval_runs", sa.Column("step_total", sa.Integer(), server_default="0", nullable=False))
    op.add_column("eval_runs", sa.Column("asking_since", TIMESTAMP(timezone=True), nullable=True))


def downgrade() -> None:
    for column in ("step", "step_done", "step_total", "asking_since"):
        op.drop_column("eval_runs", column)
    op.drop_constraint("eval_runs_status", "eval_runs")
    op.execute("update eval_runs set status = 'cancelled' where status = 'queued'")
    op.create_check_constraint(
        "eval_runs_status", "eval_runs", "status in ('running', 'complete', 'cancelled', 'failed')"
    )
