# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""What is certain about the steps at the root: wins in this turn and the next, and steps that let the other side win.

Looks only at the steps that a game's table calls decisive, over any game of two seats that has them. Every claim holds in
several samples of what the seat cannot know and of chance: a win in each of them, a loss in most. What draws nothing from
a stream is the same in every sample, so that one is enough.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from skyclaim_engine.game cimport MAX_SEATS, GameTable, step_t, table_of
from skyclaim_engine.mixing cimport mixed
from skyclaim_engine.search.stop cimport StopFlag
from skyclaim_engine.stopwatch cimport seconds_now

cdef enum:
    MAX_PLY = 10
    SAMPLES = 8
    MOST = 6
    FEW = 4         # where each is a search of its own

cdef enum Verdict:
    LOSS = -1       # the other side wins in its next turn
    OPEN = 0
    WIN_NEXT = 1    # wins in the next turn, whatever the other side does
    WIN_LATER = 2   # a free step that leaves a win of this turn
    WIN = 3         # wins at once


cdef class Solver:
    """The verdicts on the steps ``numbers`` of ``seat`` (in order), from an observation of that seat.

    Raises ValueError for a game whose table has no decisive steps.
    """

    cdef const GameTable* game
    cdef char* stack            # position 0 is what the seat sees, 1 the truth of a sample, 2.. what comes after
    cdef step_t* listed         # the steps looked at, by ply
    cdef step_t* steps
    cdef int* verdict
    cdef int count
    cdef int seat
    cdef uint64_t seed
    cdef step_t[MAX_PLY + 1] refuter   # what answered an earlier try, by ply
    cdef long max_nodes
    cdef double deadline
    cdef const volatile int* stop
    cdef bint over
    cdef bint drew              # whether the present sample has drawn from a stream
    cdef readonly long nodes

    def __cinit__(self, observation, int seat, list numbers, uint64_t seed):
        cdef bytes raw = observation.raw()
        cdef int i
        if not is_solvable(observation.game.table):
            raise ValueError(f"{observation.game.info.name} has no decisive steps")
        self.game = table_of(observation.game.table)
        self.count, self.seat, self.seed = len(numbers), seat, seed
        self.stack = <char*>malloc((MAX_PLY + 2) * self.game.size)
        self.listed = <step_t*>malloc((MAX_PLY + 1) * self.game.max_steps * sizeof(step_t))
        self.steps = <step_t*>malloc(max(self.count, 1) * sizeof(step_t))
        self.verdict = <int*>calloc(max(self.count, 1), sizeof(int))
        if self.stack == NULL or self.listed == NULL or self.steps == NULL or self.verdict == NULL:
            raise MemoryError
        memcpy(self.stack, <char*>raw, self.game.size)
        for i in range(self.count):
            self.steps[i] = numbers[i]

    def __dealloc__(self):
        free(self.stack)
        free(self.listed)
        free(self.steps)
        free(self.verdict)

    def run(self, long max_nodes, double deadline, StopFlag stop):
        """Find the verdicts. ``max_nodes`` bounds ``nodes``; ``deadline`` is in seconds of the monotonic clock, 0 for none.

        At a limit, what is not yet certain stays open.
        """
        if max_nodes <= MAX_PLY:
            return
        # at a limit a line that was begun is left within MAX_PLY steps
        self.max_nodes, self.deadline, self.stop = max_nodes - MAX_PLY, deadline, &stop.flag
        with nogil:
            self.find_wins()
            if not self.any_of(WIN_LATER):
                self.find_losses()
                self.find_wins_next()

    def verdicts(self):
        """For each step 3 if it wins at once, 2 if it is free and leaves a win of this turn, 1 if it wins in the next turn
        whatever the other side does, -1 if it lets the other side win in its next turn, otherwise 0."""
        return [self.verdict[i] for i in range(self.count)]

    # ------------------------------------------------------------------------------------------------ the three passes

    cdef void find_wins(self) noexcept nogil:
        cdef int i, k, kind, n
        self.sample(0)
        n = self.game.decisive(self.at(1), self.listed)
        for i in range(self.count):
            if listed_in(self.steps[i], self.listed, n):
                kind = WIN
                for k in range(SAMPLES):
                    kind = min(kind, self.wins_by(i, self.sample(k)))
                    if kind == OPEN or not self.drew:
                        break
                if self.over:
                    return
                self.verdict[i] = kind

    cdef int wins_by(self, int i, uint64_t stream) noexcept nogil:
        cdef int mover = self.play(1, self.steps[i], stream)
        if mover == 0:
            return WIN if self.has_won(2, self.seat) else OPEN
        return WIN_LATER if mover == self.seat and self.can_win(2) else OPEN

    cdef void find_losses(self) noexcept nogil:
        """Actions first: if all of them lose, what matters is which free step saves the game; otherwise none is needed."""
        cdef int i
        cdef bint all_lose = True
        if not self.game.within_reach(self.stack, 3 - self.seat, 1):
            return
        for i in range(self.count):
            if not self.game.is_free(self.steps[i]):
                if self.loses(i):
                    self.verdict[i] = LOSS
                else:
                    all_lose = False
            if self.over:
                return
        if all_lose:
            for i in range(self.count):
                if self.game.is_free(self.steps[i]) and self.loses(i) and not self.over:
                    self.verdict[i] = LOSS

    cdef bint loses(self, int i) noexcept nogil:
        """Whether the other side can win after the step in most samples."""
        cdef int k, kept = 0
        for k in range(SAMPLES):
            kept += not self.lost_after(1, self.steps[i], self.sample(k))
            if kept > SAMPLES - MOST or self.over:
                return False
            if not self.drew:
                return kept == 0
        return True

    cdef bint lost_after(self, int ply, step_t step, uint64_t stream) noexcept nogil:
        """Whether the other side has won or can win, after the seat's step from the position at ``ply`` and, if that is
        free, whatever follows it."""
        cdef int mover = self.play(ply, step, stream), n, i
        cdef step_t* steps
        if mover == 0:
            return self.has_won(ply + 1, 3 - self.seat)
        if mover != self.seat:
            return self.can_win(ply + 1)
        if ply + 1 >= MAX_PLY:
            return False
        steps = self.listed + (ply + 1) * self.game.max_steps
        n = self.game.legal(self.at(ply + 1), mover, steps)
        for i in range(n - 1, -1, -1):
            if not self.game.is_free(steps[i]) and not self.lost_after(ply + 1, steps[i], mixed(stream, i)):
                return False
            if self.over:
                return False
        return True

    cdef void find_wins_next(self) noexcept nogil:
        cdef int i, k
        cdef bint wins
        if not self.game.within_reach(self.stack, self.seat, 2):
            return
        for i in range(self.count):
            if self.verdict[i] == OPEN and not self.game.is_free(self.steps[i]):
                wins = True
                for k in range(FEW):
                    if self.play(1, self.steps[i], self.sample(k)) != 3 - self.seat or not self.cornered(2, k):
                        wins = False
                    if not (wins and self.drew):
                        break
                if self.over:
                    return
                if wins:
                    self.verdict[i] = WIN_NEXT

    # ------------------------------------------------------------------------------------------------ what they stand on

    cdef bint can_win(self, int ply) noexcept nogil:
        """Whether the mover of the position at ``ply`` can win in this turn."""
        cdef step_t* steps = self.listed + ply * self.game.max_steps
        cdef int seat, n, i, mover
        cdef bint free
        if ply >= MAX_PLY:
            return False
        n = self.game.decisive(self.at(ply), steps)
        seat = self.game.mover(self.at(ply))
        for free in range(2):
            for i in range(n):
                if self.game.is_free(steps[i]) == free:
                    mover = self.play(ply, steps[i], mixed(self.seed, i))
                    if self.over:
                        return False
                    if self.has_won(ply + 1, seat) if mover == 0 else mover == seat and self.can_win(ply + 1):
                        return True
        return False

    cdef bint cornered(self, int ply, uint64_t stream) noexcept nogil:
        """Whether the seat can win in its turn after any turn of the mover of the position at ``ply``."""
        cdef step_t* steps = self.listed + ply * self.game.max_steps
        cdef int mover = self.game.mover(self.at(ply)), n, i
        if ply >= MAX_PLY:
            return False
        n = self.game.legal(self.at(ply), mover, steps)
        if listed_in(self.refuter[ply], steps, n) and not self.wins_after(ply, self.refuter[ply], stream):
            return False
        for i in range(n - 1, -1, -1):  # free steps come last, as they lead to many more
            if not self.wins_after(ply, steps[i], mixed(stream, i)):
                self.refuter[ply] = steps[i]
                return False
        return True

    cdef bint wins_after(self, int ply, step_t reply, uint64_t stream) noexcept nogil:
        cdef int replier = self.game.mover(self.at(ply)), mover = self.play(ply, reply, stream)
        if self.over:
            return False
        if mover == 0:
            return self.has_won(ply + 1, self.seat)
        return self.cornered(ply + 1, stream) if mover == replier else self.can_win(ply + 1)

    # ------------------------------------------------------------------------------------------------ small things

    cdef inline char* at(self, int ply) noexcept nogil:
        return self.stack + ply * self.game.size

    cdef uint64_t sample(self, int k) noexcept nogil:
        """Draws the ``k``-th truth and returns the stream of the chance that goes with it."""
        cdef uint64_t stream = mixed(self.seed, k), start = stream
        self.game.imagine(self.stack, self.seat, &stream, self.at(1))
        self.drew = stream != start
        return stream

    cdef int play(self, int ply, step_t step, uint64_t stream) noexcept nogil:
        """The mover after a step from the position at ``ply``; at a limit ``over`` is set."""
        cdef uint64_t start = stream
        if self.nodes >= self.max_nodes or self.stop[0] or (self.deadline > 0 and seconds_now() > self.deadline):
            self.over = True
        self.nodes = self.nodes + 1
        memcpy(self.at(ply + 1), self.at(ply), self.game.size)
        self.game.apply(self.at(ply + 1), &step, &stream, NULL)
        self.drew = self.drew or stream != start
        return self.game.mover(self.at(ply + 1))

    cdef bint has_won(self, int ply, int seat) noexcept nogil:
        cdef double[MAX_SEATS] share
        self.game.scores(self.at(ply), share)
        return share[seat - 1] == 1

    cdef bint any_of(self, int least) noexcept nogil:
        cdef int i
        for i in range(self.count):
            if self.verdict[i] >= least:
                return True
        return False


cdef bint listed_in(step_t step, const step_t* steps, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        if steps[i] == step:
            return True
    return False


def is_solvable(table):
    """Whether a game (its table) can tell which steps are decisive."""
    return table_of(table).decisive != NULL
