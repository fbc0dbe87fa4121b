"""Drawings of a match and of a ladder of skills, as png, svg or pdf. They need matplotlib, the extra `plot`.

No display is used, and the same data give the same file.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import SkyclaimError, plain, quote
from .all_play import Ratings
from .elo import Estimate
from .summary import Histograms, Record, Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = ("png", "svg", "pdf")
#: a curve has about this many points, however long the match
POINTS = 400
MOST_BARS = 40
#: the curves that one drawing can hold and still be read
MOST_CURVES = 10


def plot_match(path: str | Path, header: Record, records: Iterable[Record]) -> None:
    """Draw a match: Elo with its 95 % band over games, the test's LLR against its bounds, the length of games.

    With two engines the Elo is that of the first, with more there is a curve for each pair. Raises SkyclaimError for
    another kind of file, or where matplotlib is not there.
    """
    kind = _kind(path)
    figure_class = _figure_class()
    summary = Summary(header)
    curves: dict[tuple[str, str], list[tuple[int, Estimate]]] = {}
    llr: list[tuple[int, float]] = []
    turns: list[int] = []
    blocks = 0
    for record in records:
        summary.add(record)
        if record.get("record") != "game":
            continue
        turns.append(record["turns"])
        if summary.blocks.total() == blocks:
            continue
        blocks = summary.blocks.total()
        llr.append((summary.games, summary.llr))
        for meeting, pair in list(summary.pairs.items())[:MOST_CURVES]:
            if meeting[0] in record["engines"] and meeting[1] in record["engines"] and (elo := pair.elo):
                curves.setdefault(meeting, []).append((pair.games, elo))

    figure = figure_class(figsize=(9, 9 if summary.sprt else 6.5), layout="constrained")
    axes = figure.subplots(3 if summary.sprt else 2)
    _draw_elo(axes[0], curves, summary.pairs)
    if summary.sprt:
        _draw_llr(axes[1], llr, summary)
    _draw_lengths(axes[-1], turns)
    _save(figure, path, kind)


def plot_ladder(path: str | Path, ratings: Ratings, declared: Mapping[str, float]) -> None:
    """Draw the measured rating of each engine, with its 95 % interval, over its ``declared`` one.

    Raises SkyclaimError as ``plot_match`` does.
    """
    kind = _kind(path)
    figure = _figure_class()(figsize=(8, 6.5), layout="constrained")
    axes = figure.subplots()
    known = {name: rating for name, rating in ratings.engines.items() if rating and name in declared}
    places = [declared[name] for name in known]
    axes.plot(sorted(places), sorted(places), color="0.6", linestyle="--", label="declared")
    axes.errorbar(
        places,
        [rating.value for rating in known.values()],
        yerr=[
            [rating.value - rating.low for rating in known.values()],
            [rating.high - rating.value for rating in known.values()],
        ],
        fmt="o",
        capsize=3,
        label="measured, 95 %",
    )
    for name, rating in known.items():
        axes.annotate(
            plain(name) + (f" {rating.bound}" if rating.bound else ""),
            (declared[name], rating.value),
            xytext=(6, -10),
            textcoords="offset points",
            parse_math=False,
        )
    axes.set(xlabel="declared rating", ylabel="measured rating", title="Skill ladder")
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path, kind)


def _draw_elo(
    axes: Axes,
    curves: Mapping[tuple[str, str], list[tuple[int, Estimate]]],
    pairs: Mapping[tuple[str, str], Histograms],
) -> None:
    handles, labels = [], []
    for number, (one, other) in enumerate(pair for pair in pairs if pair in curves):
        points = _thinned(curves[one, other])
        games, elos = [games for games, _ in points], [elo for _, elo in points]
        handles += axes.plot(games, [elo.value for elo in elos], color=f"C{number}")
        axes.fill_between(games, [e.low for e in elos], [e.high for e in elos], color=f"C{number}", alpha=0.15, lw=0)
        labels.append(f"{plain(one)} against {plain(other)}")
    if points := [elo for curve in curves.values() for _, elo in curve[len(curve) // 10 :]]:
        # the first tenth is all noise: it does not set the scale
        low, high = min(elo.low for elo in points), max(elo.high for elo in points)
        margin = 0.05 * (high - low) + 1
        axes.set_ylim(low - margin, high + margin)
    axes.axhline(0, color="0.4", lw=0.8)
    axes.set(xlabel="games", ylabel="Elo", title="Elo with its 95 % interval")
    axes.grid(alpha=0.3)
    if len(curves) < len(pairs):
        labels[-1:] = [f"{label} (of {len(pairs)} pairs)" for label in labels[-1:]]
    for text in axes.legend(handles, [f" {label}" for label in labels], fontsize="small").get_texts():
        text.set_parse_math(False)


def _draw_llr(axes: Axes, llr: list[tuple[int, float]], summary: Summary) -> None:
    assert summary.sprt
    points = _thinned(llr)
    axes.step([games for games, _ in points], [value for _, value in points], where="post")
    for bound, name in zip(summary.sprt.bounds, ("H0", "H1"), strict=True):
        axes.axhline(bound, color="C3", linestyle="--", lw=1)
        axes.annotate(
            name, (0.005, bound), xycoords=("axes fraction", "data"), xytext=(0, 2), textcoords="offset points"
        )
    axes.set(xlabel="games", ylabel="LLR", title=f"Test {summary.sprt}")
    axes.grid(alpha=0.3)


def _draw_lengths(axes: Axes, turns: list[int]) -> None:
    least, most = min(turns, default=0), max(turns, default=0)
    width = (most - least) // MOST_BARS + 1
    axes.hist(turns, bins=[least - 0.5 + width * bar for bar in range((most - least) // width + 2)])
    axes.set(xlabel="turns", ylabel="games", title="Length of games")
    axes.grid(alpha=0.3)


def _thinned(points: list[Any]) -> list[Any]:
    """About `POINTS` of the points, the last one among them."""
    step = max(1, len(points) // POINTS)
    return points[(len(points) - 1) % step :: step]


def _kind(path: str | Path) -> str:
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise SkyclaimError(f"plot {quote(str(path))} does not end in {', '.join(f'.{kind}' for kind in KINDS)}")
    return kind


def _figure_class() -> type[Figure]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise SkyclaimError("a plot needs matplotlib: pip install skyclaim-engine[plot]") from None
    return Figure


def _save(figure: Figure, path: str | Path, kind: str) -> None:
    """Write the file; no date and no random names, so that it depends on the data only."""
    from matplotlib import rc_context

    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    with warnings.catch_warnings(), rc_context({"svg.hashsalt": "skyclaim"}):
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        try:
            figure.savefig(path, format=kind, dpi=120, metadata=undated)
        except OSError as error:
            raise SkyclaimError(f"plot {quote(str(path))} cannot be written: {error.strerror}") from None
