"""The tables of the bench: runs, results, hand grades, calibrations."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from ragcore.storage.tables import Base, created, key


class EvalRunRow(Base):
    """One evaluation of one or more question sets, with everything needed to make it again."""

    __tablename__ = "eval_runs"
    __table_args__ = (
        CheckConstraint(
            "status in ('queued', 'running', 'complete', 'cancelled', 'failed')", name="eval_runs_status"
        ),
    )

    id: Mapped[int] = key()
    name: Mapped[str]
    question_set: Mapped[str]
    stage: Mapped[str]
    status: Mapped[str] = mapped_column(server_default="running")
    config: Mapped[dict[str, Any]]
    provenance: Mapped[dict[str, Any]]
    metrics: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    questions: Mapped[int]
    cancel_requested: Mapped[bool] = mapped_column(server_default=false())
    step: Mapped[str] = mapped_column(server_default="")
    """What is done before the first question is asked: indexing, with how many files of how many."""
    step_done: Mapped[int] = mapped_column(server_default="0")
    step_total: Mapped[int] = mapped_column(server_default="0")
    asking_since: Mapped[datetime | None]
    """When the present sitting asked its first question."""
    error: Mapped[str | None]
    seconds: Mapped[float] = mapped_column(server_default="0")
    created_at: Mapped[datetime] = created()
    updated_at: Mapped[datetime] = created()


class EvalResultRow(Base):
    """What came of one question of a run. ``question`` and ``outcome`` are whole records."""

    __tablename__ = "eval_results"
    __table_args__ = (UniqueConstraint("run_id", "question_id"),)

    id: Mapped[int] = key()
    run_id: Mapped[int] = mapped_column(ForeignKey("eval_runs.id", ondelete="CASCADE"))
    question_id: Mapped[str]
    kind: Mapped[str]
    category: Mapped[str]
    split: Mapped[str]
    question: Mapped[dict[str, Any]]
    outcome: Mapped[dict[str, Any]]
    score: Mapped[float | None]
    verdict: Mapped[str | None]
    failure_stage: Mapped[str | None]
    trace_id: Mapped[int | None] = mapped_column(ForeignKey("traces.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = created()


class GradeRow(Base):
    """A grade that a person gave; the newest of a grader counts, the older ones are its history."""

    __tablename__ = "grades"
    __table_args__ = (Index("grades_result", "result_id", "grader", "id"),)

    id: Mapped[int] = key()
    result_id: Mapped[int] = mapped_column(ForeignKey("eval_results.id", ondelete="CASCADE"))
    grade: Mapped[str | None]
    """None takes the grader's last grade back."""
    note: Mapped[str] = mapped_column(server_default="")
    grader: Mapped[str]
    created_at: Mapped[datetime] = created()


class CalibrationRow(Base):
    """A cutoff that was chosen from measured scores, and for which profile and corpus it holds."""

    __tablename__ = "calibrations"
    __table_args__ = (Index("calibrations_profile", "profile_key", "id"),)

    id: Mapped[int] = key()
    profile_key: Mapped[str]
    profile: Mapped[dict[str, Any]]
    corpus_hash: Mapped[str]
    question_set: Mapped[str]
    cutoff: Mapped[float]
    follow_up_floor: Mapped[float | None]
    reason: Mapped[str]
    counts: Mapped[dict[str, Any]]
    applied_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = created()
