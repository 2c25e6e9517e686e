"""Calibrations: which cutoff was chosen for a profile, from what, and which one is in force."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, update

from ragcore.errors import NotFound
from ragcore.records import CollectionInfo, EmbedderIdentity
from ragcore.storage.database import Database
from ragcore.storage.evaluation_tables import CalibrationRow


@dataclass(frozen=True, slots=True)
class Calibration:
    """A chosen cutoff, with the counts at it as they were measured."""

    id: int
    profile_key: str
    corpus_hash: str
    question_set: str
    cutoff: float
    follow_up_floor: float | None
    reason: str
    counts: dict[str, Any]
    applied_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CutoffInForce:
    """The cutoff that the gate uses for a collection, and what is to be said about it."""

    cutoff: float
    calibration: Calibration | None
    stale: str
    """Empty, or one sentence on why the cutoff should be measured again."""


def profile_of(embedder: EmbedderIdentity, chunking: dict[str, Any]) -> dict[str, Any]:
    """What a cutoff belongs to: embedder with its prefixes, chunking, granularity."""
    # Apart, as it was before a chunking configuration held it: calibrations made then keep their key.
    cut = {name: value for name, value in chunking.items() if name != "granularity"}
    return {
        "embedder": asdict(embedder),
        "chunking": cut,
        "granularity": chunking.get("granularity", "chunk"),
    }


def profile_key(profile: dict[str, Any]) -> str:
    """A short name for a profile; equal profiles have equal keys."""
    return hashlib.sha256(repr(_sorted(profile)).encode()).hexdigest()[:16]


class Calibrations:
    """Stores calibrations and says which is in force."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(
        self,
        *,
        profile: dict[str, Any],
        corpus_hash: str,
        question_set: str,
        cutoff: float,
        follow_up_floor: float | None,
        reason: str,
        counts: dict[str, Any],
        apply: bool,
    ) -> Calibration:
        values = {key: value for key, value in locals().items() if key not in ("self", "apply")}
        values["profile_key"] = profile_key(profile)
        if apply:
            values["applied_at"] = func.now()
        with self._database.session() as session:
            row = session.scalars(insert(CalibrationRow).values(**values).returning(CalibrationRow)).one()
            return _calibration(row)

    def apply(self, calibration_id: int) -> None:
        """Put a stored calibration in force (again). Raises NotFound."""
        with self._database.session() as session:
            row = session.get(CalibrationRow, calibration_id)
            if row is None:
                raise NotFound(f"There is no calibration {calibration_id}.")
            row.applied_at = func.now()

    def withdraw(self, profile: dict[str, Any]) -> None:
        """Go back to the profile's default cutoff."""
        with self._database.session() as session:
            session.execute(
                update(CalibrationRow)
                .where(CalibrationRow.profile_key == profile_key(profile))
                .values(applied_at=None)
            )

    def take_back(self, calibration_id: int) -> None:
        """Put one calibration out of force: the one applied before it, else the default, is in force again.

        It stays stored and can be applied anew. Raises NotFound.
        """
        with self._database.session() as session:
            row = session.get(CalibrationRow, calibration_id)
            if row is None:
                raise NotFound(f"There is no calibration {calibration_id}.")
            row.applied_at = None

    def applied(self, profile: dict[str, Any]) -> tuple[Calibration, ...]:
        """The profile's calibrations that were applied and not taken back; the first is in force."""
        query = (
            select(CalibrationRow)
            .where(CalibrationRow.profile_key == profile_key(profile), CalibrationRow.applied_at.is_not(None))
            .order_by(CalibrationRow.applied_at.desc(), CalibrationRow.id.desc())
        )
        with self._database.session() as session:
            return tuple(_calibration(row) for row in session.scalars(query))

    def list(self) -> list[Calibration]:
        """Newest first."""
        with self._database.session() as session:
            return [
                _calibration(row)
                for row in session.scalars(select(CalibrationRow).order_by(CalibrationRow.id.desc()))
            ]

    def in_force(
        self, collection: CollectionInfo, embedder: EmbedderIdentity, default: float
    ) -> CutoffInForce:
        """The newest calibration applied to the collection's profile, else the default cutoff."""
        key = profile_key(profile_of(embedder, collection.chunking))
        query = (
            select(CalibrationRow)
            .where(CalibrationRow.applied_at.is_not(None))
            .order_by(CalibrationRow.applied_at.desc(), CalibrationRow.id.desc())
        )
        with self._database.session() as session:
            applied = [_calibration(row) for row in session.scalars(query)]
        mine = next((found for found in applied if found.profile_key == key), None)
        if mine is None:
            why = f"The cutoff {default:g} is the default of this embedder and was never measured on your documents."
            if applied:
                why = (
                    f"The calibration on '{applied[0].question_set}' was made with another embedder or other chunks, "
                    f"so the default cutoff {default:g} is in force."
                )
            return CutoffInForce(default, None, why)
        stale = ""
        if mine.corpus_hash != collection.content_hash:
            stale = (
                f"The cutoff {mine.cutoff:.3g} was measured on '{mine.question_set}'; the documents of "
                f"'{collection.name}' are others or have changed since."
            )
        return CutoffInForce(mine.cutoff, mine, stale)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted((key, _sorted(inner)) for key, inner in value.items())
    return value


def _calibration(row: CalibrationRow) -> Calibration:
    return Calibration(
        id=row.id,
        profile_key=row.profile_key,
        corpus_hash=row.corpus_hash,
        question_set=row.question_set,
        cutoff=row.cutoff,
        follow_up_floor=row.follow_up_floor,
        reason=row.reason,
        counts=row.counts,
        applied_at=row.applied_at,
        created_at=row.created_at,
    )
