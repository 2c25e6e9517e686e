"""The app's configuration: readable colours, this machine only, nothing sent out."""

import re
import tomllib
from pathlib import Path

import pytest
import streamlit.config

ROOT = Path(__file__).parents[2]
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
MODES = ("light", "dark")
OKABE_ITO = {
    "#000000", "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7",
}  # fmt: skip


def luminance(colour: str) -> float:
    """Relative luminance, 0 to 1, as WCAG 2.2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio, 1 to 21, as WCAG 2.2 defines it."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_black_and_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_contrast_of_the_grey_that_just_passes():
    # WCAG's well-known border case: #767676 on white is 4.54.
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", ["textColor", "linkColor", "codeTextColor"])
@pytest.mark.parametrize(
    "ground",
    ["backgroundColor", "secondaryBackgroundColor", "codeBackgroundColor", "dataframeHeaderBackgroundColor"],
)
def test_text_has_contrast_of_4_5(mode, text, ground):
    assert contrast(CONFIG["theme"][mode][text], CONFIG["theme"][mode][ground]) >= 4.5


@pytest.mark.parametrize("mode", MODES)
def test_white_label_on_a_primary_button_has_contrast_of_4_5(mode):
    # Streamlit writes white on primaryColor in both modes.
    assert contrast("#ffffff", CONFIG["theme"][mode]["primaryColor"]) >= 4.5


@pytest.mark.parametrize("mode", MODES)
def test_primary_colour_stands_out_from_both_grounds(mode):
    theme = CONFIG["theme"][mode]
    for ground in ("backgroundColor", "secondaryBackgroundColor"):
        assert contrast(theme["primaryColor"], theme[ground]) >= 3


@pytest.mark.parametrize("mode", MODES)
def test_chart_colours_are_safe_for_colour_blind_readers(mode):
    colours = CONFIG["theme"][mode]["chartCategoricalColors"]
    assert set(colours) <= OKABE_ITO
    assert len(set(colours)) == len(colours) == 7
    # Most charts draw two or three series: those stand out from the ground.
    assert min(contrast(colour, CONFIG["theme"][mode]["backgroundColor"]) for colour in colours[:3]) >= 3


def test_nothing_leaves_the_machine():
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["client"]["showErrorLinks"] is False
    fonts = [value for key, value in CONFIG["theme"].items() if key.lower().endswith("font")]
    assert fonts == ["sans-serif", "sans-serif", "monospace"]


def test_only_this_machine_is_served():
    assert CONFIG["server"]["address"] == "127.0.0.1"
    assert CONFIG["server"]["allowedHosts"] == ["localhost", "127.0.0.1"]


def test_no_traceback_reaches_a_user():
    assert CONFIG["client"]["showErrorDetails"] == "none"


@pytest.mark.parametrize("section", ["server", "browser", "client", "theme", "theme.light", "theme.dark"])
def test_streamlit_knows_every_option(section):
    ours = CONFIG
    for part in section.split("."):
        ours = ours[part]
    known = streamlit.config.get_options_for_section(section)
    assert {key for key, value in ours.items() if not isinstance(value, dict)} <= known.keys()


def test_colours_are_written_alike():
    written = re.findall(r'"(#[^"]*)"', (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in written)
