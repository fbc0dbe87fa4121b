"""The colours of the stars can be told apart by everyone: measured, not looked at.

The measure: the colours as a person with each kind of colour blindness sees them (Machado, Oliveira and Fernandes
2009, severity 1, on linear light), and for each pair the difference CIEDE2000 (Sharma, Wu and Dalal 2005).
"""

from __future__ import annotations

import json
import re
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from pathlib import Path

import pytest

STARS_JS = Path(__file__).parents[2] / "gui_adapter" / "static" / "js" / "stars.js"
Colour = tuple[float, float, float]

BLINDNESS: dict[str, tuple[Colour, Colour, Colour]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}  # fmt: skip
#: the least difference of the worst pair
APART = {"normal": 18, "protan": 18, "deutan": 18, "tritan": 18, "grey": 8}
CONTRAST = 3


def palettes() -> dict[str, dict[str, list[str]]]:
    found = re.search(r"PALETTES = (\{.*?\n\});", STARS_JS.read_text(), re.DOTALL)
    assert found
    return json.loads(found[1])


def light_of(colour: str) -> Colour:
    """The linear light of `#rrggbb`."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def mix(matrix: tuple[Colour, Colour, Colour], light: Colour) -> Colour:
    one, two, three = (sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix)
    return one, two, three


def seen(light: Colour, eye: str) -> Colour:
    red, green, blue = (min(1.0, max(0.0, part)) for part in mix(BLINDNESS[eye], light))
    return red, green, blue


def lab(light: Colour) -> Colour:
    """CIE L*a*b* under D65."""
    x, y, z = mix(
        ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041)), light
    )
    x, y, z = (
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in (x / 0.95047, y, z / 1.08883)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Colour, two: Colour) -> float:
    """CIEDE2000 between two colours in L*a*b*."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    grey = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - sqrt(grey**7 / (grey**7 + 25**7)))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = h2 - h1 if c1 * c2 else 0.0
    turn -= 360 * round(turn / 360)
    hue = h1 + turn / 2 if c1 * c2 else h1 + h2
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6)) - 0.20 * cos(radians(4 * hue - 63))
    )  # fmt: skip
    hue %= 360
    away = (lightness - 50) ** 2
    by_l = (l2 - l1) / (1 + 0.015 * away / sqrt(20 + away))
    by_c = (c2 - c1) / (1 + 0.045 * chroma)
    by_h = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    bend = 2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(by_l**2 + by_c**2 + by_h**2 - bend * by_c * by_h)


def worst(stars: list[str], eye: str) -> float:
    colours = [lab(seen(light_of(star), eye)) for star in stars]
    return min(difference(one, two) for one, two in combinations(colours, 2))


def contrast(one: str, two: str) -> float:
    """WCAG's ratio of two colours."""
    luminances = sorted(mix(BLINDNESS["grey"], light_of(colour))[0] + 0.05 for colour in (one, two))
    return luminances[1] / luminances[0]


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [ # published pairs of Sharma, Wu and Dalal, table 1: where implementations go wrong
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
        ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)  # fmt: skip
def test_the_measure(one: Colour, two: Colour, expected: float) -> None:
    assert difference(one, two) == pytest.approx(expected, abs=1e-4)


def test_what_is_usual_would_not_do() -> None:
    naive = ["#ff0000", "#ffa500", "#ffff00", "#008000", "#0000ff"]
    assert worst(naive, "deutan") < APART["deutan"]


@pytest.mark.parametrize("eye", BLINDNESS)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_stars_are_told_apart(theme: str, eye: str) -> None:
    stars = palettes()[theme]["stars"]
    assert len(stars) == 5
    assert worst(stars, eye) >= APART[eye]


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_stars_stand_out_from_every_ground(theme: str) -> None:
    palette = palettes()[theme]
    grounds = palette["white"] + palette["red"]
    assert len(grounds) == 6
    assert min(contrast(star, ground) for star in palette["stars"] for ground in grounds) >= CONTRAST
