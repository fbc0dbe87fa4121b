"""The sentences that all games share: each says what was found out, no more, and nothing where nothing was."""

from __future__ import annotations

import pytest

from skyclaim_engine.facts import Choice, Facts, Reply
from skyclaim_engine.games.verdict import Words, sentences

WORDS = Words(
    noun="action",
    mover=1,
    name=lambda seat: ("", "South", "North")[seat],
    doing=lambda step: f"doing {step}",
    replying=lambda step: f"then doing {step}",
    lead="squares",
)
BEST, WORSE = Choice("a", 0.60, 3.0), Choice("b", 0.51, 1.5)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (Facts("played"), []),
        (Facts("played", chosen=BEST), []),
        (Facts("random"), ["This turn is a random one."]),
        (
            Facts("played", chosen=BEST, other=WORSE),
            ["The next best action, doing b, is 9 % of the win and 1.5 squares behind."],
        ),
        (
            Facts("asked", chosen=WORSE, other=BEST),
            ["The best action, doing a, is 9 % of the win and 1.5 squares ahead."],
        ),
        (
            Facts("asked", chosen=WORSE, other=BEST._replace(lead=0.5)),
            ["The best action, doing a, is 9 % of the win ahead, though 1.0 squares behind."],
        ),
        (
            Facts("hint", chosen=BEST, other=WORSE._replace(lead=4.0)),
            ["The next best action, doing b, is 9 % of the win behind, though 1.0 squares ahead."],
        ),
        (
            Facts("played", chosen=BEST._replace(lead=None), other=WORSE._replace(lead=None)),
            ["The next best action, doing b, is 9 % of the win behind."],
        ),
        (
            Facts("asked", reply=Reply(2, "c", 0.12)),
            ["North could answer by then doing c, which would cost South 12 % of the win."],
        ),
        (Facts("asked", reply=Reply(2, "c", 0.019)), []),
        (
            Facts("played", prevented=Reply(2, "c", 0.30)),
            [
                "It prevents worse: after other steps North could answer by doing c, "
                "which would cost 30 % of the win more."
            ],
        ),
        (Facts("played", gain=0.034), ["On average it gains 3.4 % of the win at once."]),
        (Facts("played", gain=-0.02), ["On average it loses 2.0 % of the win at once."]),
    ],
)  # fmt: skip
def test_what_was_found_out_is_said(facts: Facts, said: list[str]) -> None:
    assert sentences(facts, WORDS) == said


@pytest.mark.parametrize(
    ("margin", "begin"),
    [
        (0.0, "About equal to the "),
        (0.0199, "About equal to the "),
        (-0.0199, "About equal to the "),
        (0.0201, "The next best action, "),
        (-0.0201, "The best action, "),
    ],
)
def test_a_small_margin_is_about_equal(margin: float, begin: str) -> None:
    facts = Facts("asked", chosen=Choice("a", 0.5 + margin, None), other=Choice("b", 0.5, None))
    [said] = sentences(facts, WORDS)
    assert said.startswith(begin)
    assert said.startswith("About") or " 2 % of the win " in said


def test_the_mover_can_be_a_person() -> None:
    words = Words("step", 1, lambda seat: "you" if seat == 1 else "the bot", str.upper, str.upper)
    [said] = sentences(Facts("asked", reply=Reply(2, "c", 0.5)), words)
    assert said == "The bot could answer by C, which would cost you 50 % of the win."
