"""Plays a match on a Dask cluster, of this machine or of many: the extra `cluster`. See docs/cluster.md.

A block is a task. It may be played twice, when the worker that played it is lost; its result is taken once. A worker
keeps nothing between blocks, and the ledger is written by who asked for the match, never by a worker.
"""

from __future__ import annotations

import itertools
import logging
import pickle
import re
import secrets
import signal
from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import SkyclaimError, quote
from ..protocol.version import version
from .match import Plan, Task, play_block
from .records import Record

if TYPE_CHECKING:
    from distributed import Client, Future

ADDRESS = re.compile(r"(?:tcp|tls)://(?:\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):\d{1,5}", re.ASCII)
#: seconds for the scheduler to answer, and then for a first worker to be there
PATIENCE = 30.0
#: blocks on their way for each block that can be played at the same time, so that no worker waits for the next
AHEAD = 2
#: attempts more at a block that an error kept from being played; a lost worker is Dask's `allowed-failures`
RETRIES = 2
#: seconds in which no block ends after which there must be a worker left
LONELY = 120.0
LOOPBACK = "127.0.0.1"


def need_dask() -> None:
    """Raise SkyclaimError where Dask is not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise SkyclaimError("a cluster needs Dask: pip install skyclaim-engine[cluster]") from None


def check_address(text: str) -> str:
    """``text`` if it is the address of a scheduler; raises SkyclaimError."""
    if not ADDRESS.fullmatch(text):
        raise SkyclaimError(f"cluster {quote(text)} is not tcp://HOST:PORT or tls://HOST:PORT")
    return text


def play_on_workers(plan: Plan, tasks: Iterable[Task], workers: int) -> Generator[Record, None, None]:
    """Play the ``tasks`` in so many processes of this machine, which end with the iterator; as ``play_locally``."""
    need_dask()
    import dask
    from distributed import LocalCluster

    # Dask opens a port for HTTP whether it is wanted or not: on the loopback, with nothing behind it
    quiet: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
    with (
        dask.config.set(quiet),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",
            scheduler_kwargs={"dashboard": False},
            memory_limit=0,
            preload=[__name__],
            silence_logs=logging.ERROR,
        ) as cluster,
    ):
        yield from play_on_cluster(plan, tasks, cluster.scheduler_address)


def dask_setup(worker: object) -> None:
    """Called by Dask in each of those processes: the terminal's Ctrl-C is for who asked for the match.

    Not ignored but answered by nothing, since engines would inherit that it is ignored.
    """
    signal.signal(signal.SIGINT, lambda *_: None)


def play_on_cluster(plan: Plan, tasks: Iterable[Task], address: str) -> Generator[Record, None, None]:
    """Play the ``tasks`` on the workers of the scheduler at ``address``; the records as the blocks end.

    Workers may come and go. Raises SkyclaimError: nobody is there, a block cannot be played, the scheduler is lost.
    """
    need_dask()
    from distributed import CancelledError, Client
    from distributed.client import ClosedClientError
    from distributed.utils import silence_logging_cmgr

    with silence_logging_cmgr(logging.CRITICAL):
        met = False
        try:
            with Client(address, timeout=PATIENCE) as client:
                client.wait_for_workers(1, timeout=PATIENCE)
                _check_workers(client)
                met = True
                yield from _play(client, plan, tasks)
        except SkyclaimError as error:
            raise SkyclaimError(f"cluster {quote(address)}: {error}") from None
        except (OSError, CancelledError, ClosedClientError) as error:  # TimeoutError is an OSError
            if met:
                problem = ": the scheduler is lost"
            elif isinstance(error, TimeoutError):
                problem = " has no workers"
            else:
                problem = " does not answer"
            raise SkyclaimError(f"cluster {quote(address)}{problem}") from None


def _check_workers(client: Client) -> None:
    """Raise SkyclaimError for a worker that has not this version; those that come later find out by themselves."""
    for worker, found in client.run(version, on_error="return").items():
        if isinstance(found, Exception):
            raise SkyclaimError(f"worker {worker} cannot play: {found}")
        _check_version(found, version())


def _check_version(workers: str, ours: str) -> None:
    if workers != ours:
        raise SkyclaimError(f"a worker has version {workers} of skyclaim-engine, and this is {ours}")


def _play(client: Client, plan: Plan, tasks: Iterable[Task]) -> Generator[Record, None, None]:
    from distributed import wait

    # a key of its own for each block and run: Dask would take two tasks of one key for the same
    run, blocks = secrets.token_hex(8), iter(tasks)
    flying: dict[Future[list[Record]], int] = {}
    while True:
        room = max(AHEAD * sum(client.nthreads().values()), 1) - len(flying)
        for number, missing in itertools.islice(blocks, max(room, 0)):
            task = (version(), _packed(plan, number), number, missing)
            future = client.submit(_play_block, *task, key=f"block-{run}-{number}", pure=False, retries=RETRIES)
            flying[future] = number
        if not flying:
            return
        try:
            ended = wait(list(flying), timeout=LONELY, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            if not client.nthreads():
                raise SkyclaimError("all workers are gone") from None
            continue
        for future in ended:
            number = flying.pop(future)
            yield from _result(future, number)


def _packed(plan: Plan, block: int) -> bytes:
    """The plan with no more than the block's own opening."""
    if plan.openings:
        plan = replace(plan, openings=(plan.openings[plan.schedule.cycle(block) % len(plan.openings)],))
    return pickle.dumps(plan)


def _play_block(wanted: str, plan: bytes, block: int, missing: tuple[int, ...]) -> list[Record]:
    """On a worker: play the games; raises SkyclaimError if this is another version than ``wanted``."""
    _check_version(version(), wanted)
    return play_block(pickle.loads(plan), block, missing)


def _result(future: Future[list[Record]], block: int) -> list[Record]:
    from distributed import CancelledError, KilledWorker
    from distributed.comm.core import CommClosedError

    try:
        return future.result()
    except (SkyclaimError, CancelledError, CommClosedError):
        raise
    except KilledWorker as error:
        died = f"{error.allowed_failures + 1} workers died while they played it"
        raise SkyclaimError(f"block {block} could not be played: {died}") from None
    except Exception as error:
        words = " ".join(str(error).split())
        raise SkyclaimError(f"block {block} could not be played: {type(error).__name__}: {words}") from None
