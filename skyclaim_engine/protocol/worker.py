"""The one thing that may run beside the conversation: a search or a count, in a thread of its own."""

from __future__ import annotations

import queue
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

    def stop(self) -> None:
        """Ask it to end; from any thread."""
        self.flag.set()
        self.stopped.set()


class Worker:
    """Runs one task at a time. Started, ended and asked by one thread only, the conversation's.

    The thread is kept from task to task, since to start one takes as long as a short search.
    """

    def __init__(self, say: Callable[..., None], log: Callable[[str], None]) -> None:
        self._say = say
        self._log = log
        self._thread: threading.Thread | None = None
        self._next: queue.SimpleQueue[Callable[[], Sequence[str]] | None] = queue.SimpleQueue()
        self._task: Task | None = None
        #: held while a task ends, so that nobody sees it gone before its last line is out
        self._gone = threading.Condition()

    @property
    def busy(self) -> bool:
        """Whether a task runs. A task whose last line is out does not."""
        with self._gone:
            return self._task is not None

    def start(self, task: Task, work: Callable[[], Sequence[str]]) -> None:
        """Run ``work`` in the thread; the lines that it returns are the task's last. Raises RuntimeError."""
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="search", daemon=True)
            thread.start()
            self._thread = thread
        self._task = task
        self._next.put(work)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the task to end by itself, if it ever does; True when there is none any more."""
        with self._gone:
            task = self._task
            if task is not None and task.endless and not task.stopped.is_set():
                return False
            return self._gone.wait_for(lambda: self._task is None, seconds)

    def end(self, seconds: float | None = None) -> bool:
        """Stop the task and wait until its last line is out; False if it has not obeyed within ``seconds``."""
        with self._gone:
            if self._task is not None:
                self._task.stop()
        return self.wait(seconds)

    def close(self, seconds: float | None = None) -> bool:
        """As ``end``, for the last time: the thread goes with its task."""
        self._next.put(None)
        return self.end(seconds)

    def _run(self) -> None:
        while (work := self._next.get()) is not None:
            answer: Sequence[str] = ()
            try:
                answer = work()
            except BaseException:
                self._log(traceback.format_exc())
            with self._gone:
                self._task = None
                self._gone.notify_all()
                try:
                    self._say(*answer)
                except Exception:  # there is another search after this one
                    self._log(traceback.format_exc())
