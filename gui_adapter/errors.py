"""What a page can be told is wrong."""

from __future__ import annotations


class Refused(Exception):
    """A request that is not carried out: ``code`` is a word for the page, the text one sentence for the person."""

    def __init__(self, code: str, text: str) -> None:
        self.code, self.text = code, text
        super().__init__(text)


class EngineDown(Refused):
    """There is no engine to ask at the moment; after ``seconds`` it is worth while to ask again."""

    def __init__(self, text: str, seconds: float) -> None:
        self.seconds = seconds
        super().__init__("engine", text)
