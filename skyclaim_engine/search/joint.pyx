# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""Regret matching over any game's C table in which all seats decide at once, one round ahead.

What the others may have and do is met in a few truths, drawn from what the seat sees; in each, every other seat has a
handful of steps, the best for it of some that are drawn there. The steps of the seat itself are screened first: the best
stay, by the evaluation right after them while the others do nothing (in the first truth) or what is best for them. In each iteration every seat draws a step from
its strategy, all steps of every seat are scored against what the others drew, and a seat plays more often what it
regrets not to have played. The average strategy is the answer (in a game of two it nears one that nobody can exploit).
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from skyclaim_engine.game cimport EXPERT, MAX_SEATS, GameTable, step_t, table_of
from skyclaim_engine.mixing cimport mixed
from skyclaim_engine.search.stop cimport StopFlag
from skyclaim_engine.stopwatch cimport seconds_now

cdef enum:
    KEPT = 20     # own steps that stay after the screening
    TRUTHS = 8
    DRAWS = 100   # steps that are drawn for another seat in a truth
    REPLIES = 8   # and how many of them it may play


cdef struct Choice:
    step_t step
    double worth   # right after it, while the others do nothing
    double regret
    double played  # the sum of its chances to be played, the later ones weighing more
    double value   # the sum of its results
    double now     # its result in this iteration

cdef struct Hand:
    # what a seat may play
    int count
    Choice[KEPT] choices


cdef void take(Hand* hand, int room, step_t step, double worth) noexcept nogil:
    """The step joins the hand, best first, if it is not there and is among the best so many."""
    cdef int i
    for i in range(hand.count):
        if hand.choices[i].step == step:
            return
    if hand.count == room:
        if worth <= hand.choices[room - 1].worth:
            return
        hand.count -= 1
    i = hand.count
    hand.count += 1
    while i > 0 and hand.choices[i - 1].worth < worth:
        hand.choices[i] = hand.choices[i - 1]
        i -= 1
    memset(&hand.choices[i], 0, sizeof(Choice))
    hand.choices[i].step, hand.choices[i].worth = step, worth

cdef void strategy(const Hand* hand, double* out) noexcept nogil:
    """The chances of the choices, in proportion to their regrets; the first one where there are none."""
    cdef double sum = 0
    cdef int i
    for i in range(hand.count):
        sum += hand.choices[i].regret
    for i in range(hand.count):
        out[i] = hand.choices[i].regret / sum if sum > 0 else i == 0

cdef int drawn(const double* chances, int count, uint64_t luck) noexcept nogil:
    cdef double left = (luck >> 11) * (1.0 / (<uint64_t>1 << 53))
    cdef int i
    for i in range(count - 1):
        left -= chances[i]
        if left < 0:
            return i
    return count - 1

cdef void learn(Hand* hand, const double* chances, double weight) noexcept nogil:
    """After an iteration: regrets, never below 0, and the average strategy."""
    cdef double mean = 0
    cdef int i
    for i in range(hand.count):
        mean += chances[i] * hand.choices[i].now
    for i in range(hand.count):
        hand.choices[i].regret = max(0.0, hand.choices[i].regret + hand.choices[i].now - mean)
        hand.choices[i].played += weight * chances[i]
        hand.choices[i].value += hand.choices[i].now


cdef class Joint:
    """A search over the steps ``numbers`` of ``seat`` (in order), from an observation of that seat.

    ``knowledge`` is the skill whose evaluation is used. Call ``screen``, then ``run`` as often as wanted. Raises
    ValueError where one seat decides at a time.
    """

    cdef const GameTable* game
    cdef char* observed
    cdef char* after
    cdef char* truths
    cdef step_t* steps
    cdef double* sums      # of the screening, by step
    cdef int* samples
    cdef int count
    cdef int seat
    cdef int seats
    cdef int knowledge
    cdef uint64_t seed
    cdef Hand own
    cdef Hand* theirs      # by truth and seat; a truth that was not met yet has empty ones
    cdef long max_nodes
    cdef readonly long nodes
    cdef readonly long iterations

    def __cinit__(self, observation, int seat, list numbers, uint64_t seed, int knowledge=EXPERT):
        cdef bytes raw = observation.raw()
        cdef int i
        if not observation.game.info.simultaneous:
            raise ValueError(f"in {observation.game.info.name} one seat decides at a time")
        self.game = table_of(observation.game.table)
        self.count, self.seat, self.seats = len(numbers), seat, observation.seats
        self.seed, self.knowledge = seed, knowledge
        self.observed = <char*>malloc((2 + TRUTHS) * self.game.size)
        self.steps = <step_t*>malloc((self.count + 1) * sizeof(step_t))
        self.sums = <double*>calloc(self.count + 1, sizeof(double))
        self.samples = <int*>calloc(self.count + 1, sizeof(int))
        self.theirs = <Hand*>calloc(TRUTHS * MAX_SEATS, sizeof(Hand))
        if (
            self.observed == NULL or self.steps == NULL or self.sums == NULL or self.samples == NULL
            or self.theirs == NULL
        ):
            raise MemoryError
        self.after = self.observed + self.game.size
        self.truths = self.after + self.game.size
        memcpy(self.observed, <char*>raw, self.game.size)
        for i in range(self.count):
            self.steps[i] = numbers[i]
        for i in range(TRUTHS):
            self.imagine(i)

    def __dealloc__(self):
        free(self.observed)
        free(self.steps)
        free(self.sums)
        free(self.samples)
        free(self.theirs)

    def screen(self, long max_nodes, double deadline, StopFlag stop):
        """Try each step in every truth in turn, until so many ``nodes`` or so late, and keep the best ones.

        The first round goes on beyond ``deadline`` (seconds of the monotonic clock, 0 for none).
        """
        cdef step_t[MAX_SEATS] chosen
        cdef Hand* hand
        cdef int t, i
        self.max_nodes = max_nodes
        memset(chosen, 0, sizeof(chosen))
        with nogil:
            for t in range(TRUTHS):
                if stop.flag or self.nodes >= max_nodes or (t and deadline > 0 and seconds_now() > deadline):
                    break
                for i in range(1, self.seats + 1 if t else 0):
                    hand = self.hand(t, i)
                    if i != self.seat:
                        self.meet(t, i)
                        chosen[i - 1] = hand.choices[0].step if hand.count else 0
                for i in range(self.count):
                    if stop.flag or self.nodes >= max_nodes or (t and deadline > 0 and seconds_now() > deadline):
                        break
                    chosen[self.seat - 1] = self.steps[i]
                    self.sums[i] = self.sums[i] + self.result(t, chosen, self.seat)
                    self.samples[i] = self.samples[i] + 1
            for i in range(self.count):
                if self.samples[i]:
                    take(&self.own, KEPT, self.steps[i], self.sums[i] / self.samples[i])

    def follow(self, Joint leader):
        """Be in the same search as ``leader``, after its screening, with luck of one's own."""
        self.own = leader.own

    def run(self, long max_nodes, double deadline, StopFlag stop):
        """Iterate until so many ``nodes`` or so late. An iteration that is cut off does not count."""
        self.max_nodes = max_nodes
        with nogil:
            while not (stop.flag or self.nodes >= max_nodes or (deadline > 0 and seconds_now() > deadline)):
                self.iterate()

    def screened(self):
        """For each step its mean result in the screening, None for one that was not reached."""
        return [self.sums[i] / self.samples[i] if self.samples[i] else None for i in range(self.count)]

    def played(self):
        """By number of step, for those that were kept: (weight in the average strategy, sum of results)."""
        return {c.step: (c.played, c.value) for c in self.own.choices[: self.own.count]}

    cdef void imagine(self, int t) noexcept nogil:
        cdef uint64_t stream = mixed(self.seed, t)
        self.game.imagine(self.observed, self.seat, &stream, self.truths + t * self.game.size)

    cdef double result(self, int t, const step_t* chosen, int seat) noexcept nogil:
        """A seat's result after these steps in a truth. A step that nodes are not left for has none: -1."""
        cdef double[MAX_SEATS] shares
        cdef uint64_t stream = mixed(self.seed, TRUTHS + t)
        if self.nodes >= self.max_nodes:
            return -1
        self.nodes = self.nodes + 1
        memcpy(self.after, self.truths + t * self.game.size, self.game.size)
        self.game.apply(self.after, chosen, &stream, NULL)
        if self.game.mover(self.after):
            return self.game.win(self.game.evaluate(self.after, seat, self.knowledge))
        self.game.scores(self.after, shares)
        return shares[seat - 1]

    cdef void meet(self, int t, int seat) noexcept nogil:
        """Another seat's hand in a truth: the best for it of some that are drawn, and to do nothing."""
        cdef Hand* hand = &self.theirs[t * MAX_SEATS + seat - 1]
        cdef step_t[MAX_SEATS] chosen
        cdef uint64_t stream = mixed(self.seed, 64 + MAX_SEATS * t + seat)
        cdef double worth
        cdef int i
        memset(chosen, 0, sizeof(chosen))
        for i in range(DRAWS):
            if i:
                chosen[seat - 1] = self.game.random_step(self.truths + t * self.game.size, seat, &stream)
            worth = self.result(t, chosen, seat)
            if worth < 0:
                hand.count = 0
                return
            take(hand, REPLIES, chosen[seat - 1], worth)

    cdef void iterate(self) noexcept nogil:
        cdef int t = self.iterations % TRUTHS, seat, i, mine
        cdef uint64_t luck = mixed(self.seed + 1, self.iterations)
        cdef double[MAX_SEATS][KEPT] chances
        cdef step_t[MAX_SEATS] chosen, against
        cdef Hand* hand
        memset(chosen, 0, sizeof(chosen))
        for seat in range(1, self.seats + 1):
            hand = self.hand(t, seat)
            if hand.count == 0:
                self.meet(t, seat)
            if hand.count == 0:
                return
            strategy(hand, chances[seat - 1])
            chosen[seat - 1] = hand.choices[drawn(chances[seat - 1], hand.count, mixed(luck, seat))].step
        for seat in range(1, self.seats + 1):
            hand = self.hand(t, seat)
            memcpy(against, chosen, sizeof(chosen))
            for i in range(hand.count):
                against[seat - 1] = hand.choices[i].step
                hand.choices[i].now = self.result(t, against, seat)
                if hand.choices[i].now < 0:
                    return
        for seat in range(1, self.seats + 1):
            learn(self.hand(t, seat), chances[seat - 1], self.iterations + 1)
        self.iterations = self.iterations + 1

    cdef Hand* hand(self, int t, int seat) noexcept nogil:
        return &self.own if seat == self.seat else &self.theirs[t * MAX_SEATS + seat - 1]


def solve(list payoffs, long iterations, uint64_t seed):
    """The row player's average strategy after so many iterations in the game of ``payoffs`` (the column player gets 1 less).

    Rows and columns are at most 20.
    """
    cdef Hand rows, columns
    cdef double[KEPT] row_chances, column_chances
    cdef uint64_t luck
    cdef long n
    cdef int i, r, c
    memset(&rows, 0, sizeof(rows))
    memset(&columns, 0, sizeof(columns))
    rows.count, columns.count = len(payoffs), len(payoffs[0])
    for n in range(iterations):
        luck = mixed(seed, n)
        strategy(&rows, row_chances)
        strategy(&columns, column_chances)
        r = drawn(row_chances, rows.count, mixed(luck, 1))
        c = drawn(column_chances, columns.count, mixed(luck, 2))
        for i in range(rows.count):
            rows.choices[i].now = payoffs[i][c]
        for i in range(columns.count):
            columns.choices[i].now = 1 - payoffs[r][i]
        learn(&rows, row_chances, n + 1)
        learn(&columns, column_chances, n + 1)
    return [2 * rows.choices[i].played / (iterations * (iterations + 1)) for i in range(rows.count)]
