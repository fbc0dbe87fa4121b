"""The one thing that may run beside the conversation: a search or a count, in a thread of its own."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Sequence

from ..search import StopFlag


class Task:
    """A search or count: how it is stopped, and what ends each of its lines (`go … id WORD`)."""

    def __init__(self, tag: str | None = None, endless: bool = False) -> None:
        self.flag = StopFlag()  # for loops without the interpreter lock
        self.stopped = threading.Event()  # for who waits
        self.suffix = "" if tag is None else f" id {tag}"
        self.endless = endless
        self.thread: threading.Thread | None = None

    def stop(self) -> None:
        """Ask it to end; from any thread."""
        self.flag.set()
        self.stopped.set()


class Worker:
    """Runs one task at a time. Started, ended and asked by one thread only, the conversation's."""

    def __init__(self, say: Callable[..., None], log: Callable[[str], None]) -> None:
        self._say = say
        self._log = log
        self._task: Task | None = None
        #: held while a task ends, so that nobody sees it gone before its last line is out
        self._lock = threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether a task runs. A task whose last line is out does not."""
        with self._lock:
            return self._task is not None

    def start(self, task: Task, work: Callable[[], Sequence[str]]) -> None:
        """Run ``work`` in a thread; the lines that it returns are the task's last. Raises RuntimeError."""

        def run() -> None:
            try:
                answer: Sequence[str] = work()
            except BaseException:
                self._log(traceback.format_exc())
                answer = ()
            with self._lock:
                self._task = None
                self._say(*answer)

        task.thread = threading.Thread(target=run, name="search", daemon=True)
        self._task = task
        try:
            task.thread.start()
        except RuntimeError:
            self._task = None
            raise

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the task to end by itself, if it ever does; True when there is none any more."""
        with self._lock:
            task = self._task
        if task is None or task.thread is None:
            return True
        if not task.endless or task.stopped.is_set():
            task.thread.join(seconds)
        return not task.thread.is_alive()

    def end(self, seconds: float | None = None) -> bool:
        """Stop the task and wait until its last line is out; False if it has not obeyed within ``seconds``."""
        with self._lock:
            if self._task is not None:
                self._task.stop()
        return self.wait(seconds)
