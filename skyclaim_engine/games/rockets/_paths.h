/* Flights and traces of Rockets (rules 5): every outcome with its listed path, without walking every path.
 *
 * A space is an index 0..35 into the board's list of tiles, which is in the order of the spaces' texts; so the lowest
 * bit of a set is the space whose text comes first, and of two paths of one length the first in text is the one that
 * goes to a lower index where they part. A set of spaces is a 64-bit word.
 *
 * Some spaces bear a mark: for a flight those with shields that the rocket would pick up, for a trace those with
 * rockets. Which marks a path meets is a set of at most five, a number 0..31. The outcome of a flight is its end and
 * its marks, that of a trace its marks alone.
 *
 * The search goes length by length, so that the first path to an outcome is the shortest, and through the spaces in
 * order, so that of those it is the first in text. It walks on only where an outcome that is not found yet may lie:
 * `walk` has, for each number of moves k, space u and set of marks, the ends of all walks of k moves from u that meet
 * exactly these marks. A walk may visit a space twice and a path may not, so walks promise too much but never too
 * little. Few paths are left to try: nearly every promise is kept by the first path that follows it.
 *
 *   walk      [k][u][marks], a word of ends      18 kB at most with three marks, 55 kB with five
 *   reach     [k][u], a bit for each set of marks (for traces, which do not care where they end)
 *   path      in words of 64 bits: space i of the path in bits 6 i .. 6 i + 5, the length in bits 40..42
 */
#ifndef SKYCLAIM_ROCKETS_PATHS_H
#define SKYCLAIM_ROCKETS_PATHS_H

#include <stdint.h>
#include <string.h>

#define PATH_INLINE static inline __attribute__((always_inline))
#define PATH_SPACES 36
#define PATH_MOVES 6
#define PATH_MARKS 5
#define PATH_SETS 32
#define LOWEST(set) __builtin_ctzll(set)
#define FOR_EACH(i, set) for (uint64_t left_ = (set), i; left_ && (i = (uint64_t)LOWEST(left_), 1); left_ &= left_ - 1)

typedef struct {
    uint64_t near[PATH_SPACES];    /* open spaces that touch each, the start left out */
    uint64_t found[PATH_SETS];     /* ends that have a path, by marks */
    uint64_t corners;              /* spaces that a path of the length in search may be stuck in */
    uint64_t *out;
    uint64_t path;                 /* the spaces entered so far, packed */
    int n;                         /* paths written */
    int bits;                      /* log2 of the number of sets of marks */
    int moves;                     /* the length in search */
    uint8_t mark[PATH_SPACES];     /* 0, or the space's mark as a set of one */
    uint64_t ball[PATH_MOVES][PATH_SPACES]; /* spaces at most k moves away */
    uint64_t walk[PATH_MOVES * PATH_SPACES * PATH_SETS];
} Flights;

PATH_INLINE uint64_t packed(uint64_t path, int moves) { return path | (uint64_t)moves << 40; }
PATH_INLINE int path_length(uint64_t path) { return (int)(path >> 40); }
PATH_INLINE int path_space(uint64_t path, int i) { return (int)(path >> 6 * i & 63); }

PATH_INLINE uint64_t *walk_of(Flights *f, int k, uint64_t u) {
    return f->walk + ((k * PATH_SPACES + (int)u) << f->bits);
}

/* All of `walk` and `ball` for up to `moves` moves over the spaces `from`. */
static void survey(Flights *f, uint64_t from, int moves) {
    const int sets = 1 << f->bits;
    FOR_EACH(u, from) {
        uint64_t *here = walk_of(f, 0, u);
        memset(here, 0, sizeof(uint64_t) << f->bits);
        here[0] = f->ball[0][u] = 1ull << u;
    }
    for (int k = 1; k < moves; k++)
        FOR_EACH(u, from) {
            uint64_t *here = walk_of(f, k, u), ball = f->ball[k - 1][u];
            memset(here, 0, sizeof(uint64_t) << f->bits);
            FOR_EACH(v, f->near[u]) {
                const uint64_t *there = walk_of(f, k - 1, v);
                const int mark = f->mark[v];
                ball |= f->ball[k - 1][v];
                if (!mark)
                    for (int s = 0; s < sets; s++) here[s] |= there[s];
                else
                    for (int s = mark; s < sets; s = (s + 1) | mark) here[s] |= there[s] | there[s ^ mark];
            }
            f->ball[k][u] = ball;
        }
}

/* The ends not found yet that walks of k moves more may reach. */
PATH_INLINE uint64_t promised(Flights *f, uint64_t u, uint64_t visited, int marks, int k) {
    const uint64_t *walk = walk_of(f, k, u);
    const int rest = ((1 << f->bits) - 1) ^ marks;
    uint64_t ends = walk[0] & ~f->found[marks];
    for (int s = rest; s; s = (s - 1) & rest) ends |= walk[s] & ~f->found[marks | s];
    return ends & ~visited;
}

PATH_INLINE void keep(Flights *f, uint64_t v, int marks, uint64_t path) {
    f->found[marks] |= 1ull << v;
    f->out[f->n++] = packed(path | v << 6 * (f->moves - 1), f->moves);
}

/* Paths of exactly f->moves moves; k of them are left. */
static void fly_on(Flights *f, uint64_t u, uint64_t visited, int marks, uint64_t path, int k) {
    FOR_EACH(v, f->near[u] & ~visited) {
        const int met = marks | f->mark[v];
        if (k == 1) {
            if (!(f->found[met] >> v & 1)) keep(f, v, met, path);
        } else if (promised(f, v, visited | 1ull << v, met, k - 1)) {
            fly_on(f, v, visited | 1ull << v, met, path | v << 6 * (f->moves - k), k - 1);
        }
    }
}

/* Whether a path with k moves left could end stuck: in a space that is promised, all of whose neighbours the path has
 * visited by then. It enters k - 1 more spaces on its way there. */
PATH_INLINE int may_be_stuck(Flights *f, uint64_t u, uint64_t visited, int marks, int k) {
    FOR_EACH(c, promised(f, u, visited, marks, k) & f->corners) {
        const uint64_t open = f->near[c] & ~visited;
        if (__builtin_popcountll(open) < k && !(open & ~f->ball[k - 1][u])) return 1;
    }
    return 0;
}

/* Paths of exactly f->moves moves that end where no space is left to enter. */
static void fly_into_corners(Flights *f, uint64_t u, uint64_t visited, int marks, uint64_t path, int k) {
    FOR_EACH(v, f->near[u] & ~visited) {
        const uint64_t seen = visited | 1ull << v;
        const int met = marks | f->mark[v];
        if (k == 1) {
            if (!(f->near[v] & ~seen) && !(f->found[met] >> v & 1)) keep(f, v, met, path);
        } else if (may_be_stuck(f, v, seen, met, k - 1)) {
            fly_into_corners(f, v, seen, met, path | v << 6 * (f->moves - k), k - 1);
        }
    }
}

/* The distinct flights from `start`: all ends and marks. `near` is the graph, `open` the spaces without a token, the
 * start among them; `marks` has for each of `count` marks the space that bears it. Writes the packed paths; returns how
 * many. */
__attribute__((unused)) static int flights(const uint64_t *near, uint64_t open, int start, const uint8_t *marks,
                                           int count, int die, int up_to, uint64_t *out) {
    Flights f;
    uint64_t from = 1ull << start, edge = from;
    f.n = 0, f.out = out, f.bits = count;
    memset(f.mark, 0, sizeof f.mark);
    memset(f.found, 0, sizeof f.found);
    for (int i = 0; i < count; i++) f.mark[marks[i]] = (uint8_t)(1 << i);
    open &= ~from;
    /* only what is within reach takes part */
    for (int k = 0; k < die && edge; k++) {
        uint64_t next = 0;
        FOR_EACH(u, edge) next |= f.near[u] = near[u] & open;
        edge = next & ~from, from |= edge;
    }
    FOR_EACH(u, edge) f.near[u] = near[u] & open & from;
    const uint64_t home = 1ull << start;
    if (!f.near[start]) {
        out[0] = 0;
        return 1;
    }
    survey(&f, from & ~home, die);
    for (f.moves = 1; f.moves < die; f.moves++) {
        if (up_to) {
            fly_on(&f, (uint64_t)start, home, 0, 0, f.moves);
            continue;
        }
        f.corners = 0;
        FOR_EACH(u, from & ~edge & ~home) if (__builtin_popcountll(f.near[u]) < f.moves) f.corners |= 1ull << u;
        if (f.corners) fly_into_corners(&f, (uint64_t)start, home, 0, 0, f.moves);
    }
    fly_on(&f, (uint64_t)start, home, 0, 0, die);
    return f.n;
}

/* ---- traces */
typedef struct {
    uint64_t near[PATH_SPACES];
    uint64_t *out;
    int n, moves, bits;
    uint32_t found;                          /* a bit for each set of marks */
    uint8_t mark[PATH_SPACES];               /* 0, or 1 + the mark's number */
    uint32_t reach[PATH_MOVES][PATH_SPACES]; /* what walks of k moves meet: a bit for each set of marks */
} Traces;

/* sets of marks, a bit each, that do not have the mark of that number */
static const uint32_t LACKING[PATH_MARKS] = {0x55555555u, 0x33333333u, 0x0F0F0F0Fu, 0x00FF00FFu, 0x0000FFFFu};

/* each of the sets with one mark (or none: 0) added */
PATH_INLINE uint32_t with_mark(uint32_t sets, int mark) {
    if (!mark) return sets;
    return (sets & ~LACKING[mark - 1]) | (sets & LACKING[mark - 1]) << (1 << (mark - 1));
}
PATH_INLINE uint32_t with_marks(uint32_t sets, int marks) {
    for (; marks; marks &= marks - 1) sets = with_mark(sets, 1 + __builtin_ctz((unsigned)marks));
    return sets;
}

static void trace_on(Traces *t, uint64_t u, uint64_t visited, int marks, uint64_t path, int k) {
    FOR_EACH(v, t->near[u] & ~visited) {
        const int met = t->mark[v] ? marks | 1 << (t->mark[v] - 1) : marks;
        if (k == 1) {
            if (t->found >> met & 1) continue;
            t->found |= 1u << met;
            t->out[t->n++] = packed(path | v << 6 * (t->moves - 1), t->moves);
        } else if (with_marks(t->reach[k - 1][v], met) & ~t->found) {
            trace_on(t, v, visited | 1ull << v, met, path | v << 6 * (t->moves - k), k - 1);
        }
    }
}

/* The distinct traces of up to `die` moves: all sets of marks, the empty one first. Otherwise as `flights`. */
__attribute__((unused)) static int traces(const uint64_t *near, uint64_t open, int start, const uint8_t *marks,
                                          int count, int die, uint64_t *out) {
    Traces t;
    const uint64_t home = 1ull << start;
    uint64_t from = home, edge = home;
    const uint32_t all = (uint32_t)((1ull << (1 << count)) - 1);
    t.n = 0, t.out = out, t.bits = count, t.found = 1;
    memset(t.mark, 0, sizeof t.mark);
    for (int i = 0; i < count; i++) t.mark[marks[i]] = (uint8_t)(i + 1);
    open &= ~home;
    for (int k = 0; k < die && edge; k++) {
        uint64_t next = 0;
        FOR_EACH(u, edge) next |= t.near[u] = near[u] & open;
        edge = next & ~from, from |= edge;
    }
    FOR_EACH(u, edge) t.near[u] = near[u] & open & from;
    FOR_EACH(u, from & ~home) t.reach[0][u] = 1;
    for (int k = 1; k < die; k++)
        FOR_EACH(u, from & ~home) {
            uint32_t sets = 0;
            FOR_EACH(v, t.near[u]) sets |= with_mark(t.reach[k - 1][v], t.mark[v]);
            t.reach[k][u] = sets;
        }
    out[t.n++] = 0;
    for (t.moves = 1; t.moves <= die && t.found != all; t.moves++) trace_on(&t, (uint64_t)start, home, 0, 0, t.moves);
    return t.n;
}

#endif
