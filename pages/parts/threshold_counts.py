"""The counts at a cutoff as a table: a row a kind, both splits side by side."""

from __future__ import annotations

from html import escape

from ragcore.charts.chart import KIND_COLOURS
from ragcore.evaluation.thresholds import KindCount

WORDS = {
    "answerable": "Answerable, refused",
    "general_knowledge": "General knowledge, leaked",
    "missing_info": "Missing info, passed to the model",
    "injection": "Injections, passed to the model",
    "follow_up": "Follow-ups, refused",
    "follow_up_off_topic": "Off-topic follow-ups, leaked",
}
SPLIT_WORDS = {"calibration": "Calibration split", "test": "Test split"}


def counts_table(counts: dict[str, tuple[KindCount, ...]]) -> str:
    """HTML of the table; every count with its share, 95 % interval and change."""
    heads = "".join(f'<th scope="col">{SPLIT_WORDS[split]}</th>' for split in counts)
    rows = []
    for number in range(len(next(iter(counts.values())))):
        kind = next(iter(counts.values()))[number].kind
        cells = "".join(_cell(split, own[number]) for split, own in counts.items())
        swatch = f'<span class="pl-swatch" style="background:{KIND_COLOURS[kind]}"></span>'
        rows.append(f'<tr><th scope="row">{swatch}{escape(WORDS[kind])}</th>{cells}</tr>')
    return (
        '<table class="pl-counts" aria-live="polite"><thead><tr><th scope="col">On the wrong side</th>'
        f"{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _cell(split: str, one: KindCount) -> str:
    mark = f"pl-count pl-at-{split}-{one.kind}"
    rate = one.rate
    if rate.value is None or rate.low is None or rate.high is None:
        return f'<td class="{mark}"><span class="pl-none">none asked</span></td>'
    low, high, value = (100 * part for part in (rate.low, rate.high, rate.value))
    bar = (
        f'<span class="pl-interval" aria-hidden="true"><span style="left:{low:.1f}%;width:{high - low:.1f}%"></span>'
        f'<i style="left:{value:.1f}%"></i></span>'
    )
    return (
        f'<td class="{mark}"><b>{rate.k:,}/{rate.n:,}</b> <span class="pl-change">{_change(one.change)}</span>'
        f'{bar}<span class="pl-share">{value:.0f} % [{low:.0f}, {high:.0f}]</span></td>'
    )


def _change(change: int) -> str:
    return f"{abs(change):,} {'fewer' if change < 0 else 'more'}" if change else "±0"
