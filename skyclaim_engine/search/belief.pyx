# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""What a seat supposes about what it cannot see: some whole positions that follow the game, over its C table only.

From one observation to the next each of them is played on: the seat's own step as it was, those of the others as the
steps' promise (`priors`) makes them likely, with chance of the belief's own. Of a few such ways on, the one that is
least at odds with the new observation is kept and made to agree with it entirely (`recall`). Nothing goes in but the
seat's observations in their order, its own steps and a seed: what is hidden never comes here.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport log
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from skyclaim_engine.game cimport EXPERT, GameTable, step_t, table_of
from skyclaim_engine.mixing cimport mixed

cdef enum:
    FAR = 8          # turns after which an observation does not follow from the last one
    MOST_PLIES = 60  # played from one observation, or from the start, to the next
    FREE_STEPS = 3   # of a supposed turn

#: how much worse than the best, in units of the evaluation, a step may look that is played all the same
cdef double TASTE = 1.0


cdef inline double part(uint64_t* stream) noexcept nogil:
    """The next of the stream as a number between 0 and 1."""
    stream[0] += <uint64_t>0x9E3779B97F4A7C15
    return ((mixed(stream[0], 1) >> 12) + 0.5) / 4503599627370496.0


cdef struct Desk:
    # room to work in: two positions, and the steps of one with their promise
    char* base
    char* work
    step_t* steps
    float* promise


cdef class Belief:
    """What ``seat`` supposes in a game with this table: ``size`` positions, each the best of ``guesses`` ways on.

    Call ``see`` with each observation of the seat when it is to move, and ``played`` with what it plays then.
    ``worlds`` are the positions that a search should begin with, as structs one after the other, all of which agree with
    the last observation; it is empty in a game where nothing is hidden or remembered.
    """

    cdef const GameTable* game
    cdef int seat
    cdef int size
    cdef int guesses
    cdef uint64_t seed
    cdef Desk desk
    cdef bytes seen      # the last observation that was followed
    cdef list unread     # those after it: they are followed when somebody asks, since a referee never does
    cdef bytes supposed  # the positions that are played on
    cdef step_t step
    cdef bint stepped
    cdef bytes settled   # of these, as a search should begin with them

    def __cinit__(self, table, int seat, uint64_t seed, int size=32, int guesses=4):
        self.game = table_of(table)
        self.seat, self.size, self.guesses, self.seed = seat, size, guesses, seed
        self.seen = self.supposed = self.settled = b""
        self.unread = []
        self.desk.base = <char*>malloc(self.game.size)
        self.desk.work = <char*>malloc(self.game.size)
        self.desk.steps = <step_t*>malloc(self.game.max_steps * sizeof(step_t))
        self.desk.promise = <float*>malloc(self.game.max_steps * sizeof(float))
        if not (self.desk.base and self.desk.work and self.desk.steps and self.desk.promise):
            raise MemoryError

    def __dealloc__(self):
        free(self.desk.base)
        free(self.desk.work)
        free(self.desk.steps)
        free(self.desk.promise)

    def see(self, observation):
        """The seat sees this now, a Position as ``observe`` gives it.

        If it does not follow from the last one, all that was before is forgotten.
        """
        cdef bytes seen = observation.raw(), last = self.unread[len(self.unread) - 1] if self.unread else self.seen
        if self.game.recall == NULL or seen == last:
            return
        if not self.follows(last, seen):
            self.seen = self.supposed = b""
            self.unread.clear()
        self.unread.append(seen)

    def played(self, step_t step):
        """The seat plays this step after its last observation."""
        self.catch_up()
        self.step, self.stepped = step, True

    @property
    def worlds(self):
        """The positions that a search should begin with, worked out when they are asked for."""
        self.catch_up()
        return self.settled

    def views(self):
        """What the seat would see of each of ``worlds``, as structs: the last observation, if the belief is sound."""
        cdef bytes worlds = self.worlds
        cdef const char* world = worlds
        cdef list out = []
        cdef size_t at
        for at in range(0, len(worlds), self.game.size):
            self.game.observe(world + at, self.seat, self.desk.work)
            out.append(PyBytes_FromStringAndSize(self.desk.work, self.game.size))
        return out

    cdef bint follows(self, bytes last, bytes seen):
        """Whether an observation can be the next one: a later turn but not too late, or the same after a free step."""
        if not last:
            return False
        cdef int gap = self.game.turn(<const char*>seen) - self.game.turn(<const char*>last)
        cdef bint stepped = self.stepped and not self.unread  # the step came before all that is unread
        return 0 < gap <= FAR or (gap == 0 and stepped and self.game.is_free(self.step))

    cdef catch_up(self):
        """Follow what is unread."""
        cdef bytes seen
        for seen in self.unread:
            self.follow(seen)
            self.seen, self.stepped = seen, False
        self.unread.clear()

    cdef follow(self, bytes seen):
        cdef bytes before = self.supposed
        cdef bytes now = PyBytes_FromStringAndSize(NULL, self.size * self.game.size), settled
        cdef size_t size = self.game.size
        cdef const char* observed = seen
        cdef const char* old = NULL
        cdef char* new = now
        cdef bint hidden = True
        cdef int i
        if before:
            old = before
        with nogil:
            for i in range(self.size):
                hidden = self.follow_one(i, observed, old, new + i * size)
                if not hidden:
                    break
                if old != NULL:
                    old += size
        self.supposed = self.settled = b""
        if hidden:
            settled = PyBytes_FromStringAndSize(new, self.size * size)
            self.game.settle(observed, self.seat, <char*>settled, self.size)
            self.supposed, self.settled = now, settled

    cdef bint follow_one(self, int i, const char* observed, const char* old, char* new) noexcept nogil:
        """Position ``i`` now, from what it was before or from a start; False where nothing is hidden."""
        cdef uint64_t stream = mixed(mixed(self.seed, self.game.key(observed)), i)
        cdef size_t size = self.game.size
        cdef int guess, turn = self.game.turn(observed)
        cdef double odd, least = 0
        if old == NULL:
            if not self.game.begin(observed, &stream, self.desk.base):
                return False
        else:
            memcpy(self.desk.base, old, size)
            if self.stepped:
                self.game.apply(self.desk.base, &self.step, &stream, NULL)
        for guess in range(1 if old == NULL else self.guesses):
            memcpy(self.desk.work, self.desk.base, size)
            self.play_on(self.desk.work, turn, &stream)
            odd = self.game.recall(observed, self.seat, &stream, self.desk.work)
            if guess == 0 or odd < least:
                least = odd
                memcpy(new, self.desk.work, size)
        return True

    cdef void play_on(self, char* position, int turn, uint64_t* stream) noexcept nogil:
        """Plays likely steps until that turn, or as long as it goes and is not too far."""
        cdef step_t* steps = self.desk.steps
        cdef int ply, n, i, best, free_steps = 0
        cdef double value, most
        for ply in range(MOST_PLIES):
            if self.game.turn(position) >= turn or self.game.mover(position) <= 0:
                return
            n = self.game.legal(position, self.game.mover(position), steps)
            self.game.priors(position, steps, n, EXPERT, self.desk.promise)
            best, most = -1, 0
            for i in range(n):
                if free_steps == FREE_STEPS and self.game.is_free(steps[i]):
                    continue
                value = self.desk.promise[i] - TASTE * log(-log(part(stream)))
                if best < 0 or value > most:
                    best, most = i, value
            free_steps = free_steps + 1 if self.game.is_free(steps[best]) else 0
            self.game.apply(position, &steps[best], stream, NULL)

