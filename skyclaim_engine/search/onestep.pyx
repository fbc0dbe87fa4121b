# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""One-step lookahead over any game's C table: each step's value is the mean of the evaluation right after it.

What the seat cannot know is drawn afresh in every round: what is hidden from the observation, the coming chance from a
stream of the search's own. All steps of a round meet the same truth and the same stream (common random numbers), so that
their differences are due to the steps. A die that a step rolls is averaged over its faces exactly. Where all seats decide
at once, the others give no orders (step 0); there can be very many steps, so that some are drawn first: `candidates`.
The position's own stream never comes here, nor what its mover does not see.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from skyclaim_engine.game cimport EXPERT, JOINT, MAX_SEATS, GameTable, step_t, table_of
from skyclaim_engine.search.stop cimport StopFlag
from skyclaim_engine.search.worlds cimport Worlds, suppose
from skyclaim_engine.stopwatch cimport seconds_now


cdef struct Sums:
    double value
    double lead
    long samples


cdef class OneStep:
    """A search over the steps ``numbers`` (in order) from an observation of the seat to move.

    ``knowledge`` is the skill whose evaluation is used, ``worlds`` are the positions that a belief supposes, as structs
    one after the other: each round takes the next, or imagines one where there are none. ``free_steps`` tells for each
    step whether it is a free one. ``observation`` is a Position as ``observe`` gives it. Call ``run`` as often as wanted;
    ``means`` tells the means.
    """

    cdef const GameTable* game
    cdef bytes supposed
    cdef Worlds worlds
    cdef void* root
    cdef step_t* steps
    cdef Sums* sums
    cdef int count
    cdef int seat
    cdef uint64_t seed
    cdef double still
    cdef int knowledge
    cdef long rounds
    cdef readonly long nodes
    cdef readonly list free_steps

    def __cinit__(self, observation, int seat, list numbers, uint64_t seed, int knowledge=EXPERT, bytes worlds=b""):
        cdef bytes raw = observation.raw()
        cdef int i
        self.game = table_of(observation.game.table)
        self.supposed, self.worlds.positions, self.worlds.count = worlds, worlds, len(worlds) // self.game.size
        self.count, self.seat, self.seed, self.knowledge = len(numbers), seat, seed, knowledge
        self.root = malloc(self.game.size)
        self.steps = <step_t*>malloc(max(self.count, 1) * sizeof(step_t))
        self.sums = <Sums*>calloc(max(self.count, 1), sizeof(Sums))
        if self.root == NULL or self.steps == NULL or self.sums == NULL:
            raise MemoryError
        memcpy(self.root, <char*>raw, self.game.size)
        for i in range(self.count):
            self.steps[i] = numbers[i]
        self.free_steps = [bool(self.game.is_free(self.steps[i])) for i in range(self.count)]

    def __dealloc__(self):
        free(self.root)
        free(self.steps)
        free(self.sums)

    def run(self, long rounds, long max_nodes, double deadline, StopFlag stop):
        """Up to so many rounds more; True when all were made, False at a limit.

        ``max_nodes`` bounds ``nodes``; ``deadline`` is in seconds of the monotonic clock, 0 for none.
        """
        cdef char* truth = <char*>malloc(2 * self.game.size)
        cdef bint done = True
        if truth == NULL:
            raise MemoryError
        with nogil:
            for _ in range(rounds):
                if not self.play_round(truth, truth + self.game.size, max_nodes, deadline, stop):
                    done = False
                    break
        free(truth)
        return done

    cdef bint play_round(
        self, void* truth, void* after, long max_nodes, double deadline, StopFlag stop
    ) noexcept nogil:
        cdef uint64_t stream = self.seed + self.rounds * <uint64_t>0xD1342543DE82EF95
        cdef step_t[MAX_SEATS] chosen
        cdef step_t* step = chosen
        cdef int i
        suppose(&self.worlds, self.game, self.root, self.seat, self.rounds, &stream, truth)
        if self.game.mover(truth) == JOINT:
            memset(chosen, 0, sizeof(chosen))
            step = &chosen[self.seat - 1]
        for i in range(self.count):
            # the first round is short; only the stop flag can cut it
            if stop.flag or self.nodes >= max_nodes or (self.rounds and deadline > 0 and seconds_now() > deadline):
                return False
            step[0] = self.steps[i]
            self.sample(&self.sums[i], truth, after, chosen, step[0], stream)
        self.still = self.still + self.game.evaluate(truth, self.seat, self.knowledge)
        self.rounds = self.rounds + 1
        return True

    cdef void sample(
        self, Sums* sums, const void* truth, void* after, const step_t* chosen, step_t step, uint64_t stream
    ) noexcept nogil:
        """One step tried, on every face of the die that it rolls."""
        cdef int face, faces = self.game.faces(truth, step) if self.game.faces != NULL else 1
        cdef uint64_t own
        for face in range(faces):
            memcpy(after, truth, self.game.size)
            own = stream
            if faces > 1:
                self.game.apply_face(after, step, face, &own)
            else:
                self.game.apply(after, chosen, &own, NULL)
            sums.value = sums.value + self.game.evaluate(after, self.seat, self.knowledge)
            if self.game.lead != NULL:
                sums.lead = sums.lead + self.game.lead(after, self.seat)
        sums.samples = sums.samples + faces
        self.nodes = self.nodes + faces

    def means(self):
        """For each step (mean value, win, mean lead or None), None for one that was not reached."""
        out = []
        for i in range(self.count):
            n = self.sums[i].samples
            if not n:
                out.append(None)
                continue
            lead = self.sums[i].lead / n if self.game.lead != NULL else None
            out.append((self.sums[i].value / n, self.game.win(self.sums[i].value / n), lead))
        return out

    def standing(self):
        """The mean value of the position as it is, before any step; 0 before the first round is over."""
        return self.still / self.rounds if self.rounds else 0.0


def known_from(table, step_t step):
    """The least skill at which a bot may choose the step."""
    return table_of(table).known_from(step)


def random_step(position, int seat, seed):
    """The number of a step as a random player chooses it, the same for the same seed."""
    cdef const GameTable* game = table_of(position.game.table)
    cdef bytes raw = position.raw()
    cdef uint64_t stream = seed
    return game.random_step(<char*>raw, seat, &stream)


def candidates(position, int seat, seed, int count):
    """The numbers of distinct steps of a joint node: none (0), then what ``count`` draws as of a random player give."""
    cdef const GameTable* game = table_of(position.game.table)
    cdef bytes raw = position.raw()
    cdef uint64_t stream = seed
    cdef dict found = {0: None}
    cdef int i
    for i in range(count):
        found[game.random_step(<char*>raw, seat, &stream)] = None
    return list(found)
