/* The star part of the core by the rules of the limit program: lines of 3, diagonals of 4 and 2 x 2 blocks only, one
 * refill of 21 three-bit digits a draw. So the two can be compared on the same work: copy, swap, cascade to rest.
 *
 * build: gcc -O3 -fno-tree-slp-vectorize -I skyclaim_engine -o star_part benchmarks/star_part.c
 * run:   star_part [asteroids] [seed]      prints one line a level: name, ns a swap (best, median), waves, squares cleared
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "_lanes.h"

#define BOARDS 2048
#define REPEATS 21
#define STAY() __asm__ volatile("" ::: "memory")

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
static int ascending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* the scan of _scans.h without hooks, X and V */
#define LINES(name, LEVEL, SET, READ, WRITE, AND, OR, XOR, WITHOUT, SHIFT, SOME)                                            \
    LEVEL static Lanes name(const Stars *s) {                                                                              \
        const SET p = READ(s->p[0]), q = READ(s->p[1]), r = READ(s->p[2]);                                                 \
        const SET stars = WITHOUT(OR(OR(p, q), r), AND(q, r));                                                             \
        const SET right = LIKE(OR, XOR, WITHOUT, SHIFT, 1, 0), up = LIKE(OR, XOR, WITHOUT, SHIFT, 0, 1);                   \
        const SET rise = LIKE(OR, XOR, WITHOUT, SHIFT, 1, 1), fall_ = LIKE(OR, XOR, WITHOUT, SHIFT, 1, -1);                \
        const SET row = AND(right, SHIFT(right, 1, 0)), column = AND(up, SHIFT(up, 0, 1));                                 \
        const SET rise4 = AND(AND(rise, SHIFT(rise, 1, 1)), SHIFT(rise, 2, 2));                                            \
        const SET fall4 = AND(AND(fall_, SHIFT(fall_, 1, -1)), SHIFT(fall_, 2, -2));                                       \
        const SET block = AND(AND(up, right), SHIFT(up, 1, 0));                                                            \
        if (!SOME(OR(OR(row, column), OR(block, OR(rise4, fall4))))) return nothing();                                     \
        SET found = OR(OR(row, SHIFT(row, -1, 0)), SHIFT(row, -2, 0));                                                     \
        found = OR(found, OR(OR(column, SHIFT(column, 0, -1)), SHIFT(column, 0, -2)));                                     \
        SET part = OR(block, SHIFT(block, 0, -1));                                                                         \
        found = OR(found, OR(part, SHIFT(part, -1, 0)));                                                                   \
        part = OR(rise4, SHIFT(rise4, -1, -1));                                                                            \
        found = OR(found, OR(part, SHIFT(part, -2, -2)));                                                                  \
        part = OR(fall4, SHIFT(fall4, -1, 1));                                                                             \
        return WRITE(OR(found, OR(part, SHIFT(part, -2, 2))));                                                             \
    }
#define LIKE(OR, XOR, WITHOUT, SHIFT, dx, dy) \
    WITHOUT(stars, OR(OR(XOR(p, SHIFT(p, dx, dy)), XOR(q, SHIFT(q, dx, dy))), XOR(r, SHIFT(r, dx, dy))))
#define SAME(x) (x)
LINES(lines_portable, , Lanes, SAME, SAME, both, either, differ, without, shift, some)
#if SKYCLAIM_X86
LINES(lines_sse2, , Pair, pair_read, pair_write, pair_and, pair_or, pair_xor, pair_without, pair_shift, pair_some)
LINES(lines_avx2, __attribute__((target("avx2"))), __m256i, wide_read, wide_write, wide_and, wide_or, wide_xor, wide_without,
      wide_shift, wide_some)
#endif

typedef struct { uint64_t *stream, a, b, c, left; } Digits;
static inline unsigned digit(Digits *d) {
    while (!d->left) {
        uint64_t x = stream_next(d->stream);
        d->a = x & 0x1FFFFF, d->b = x >> 21 & 0x1FFFFF, d->c = x >> 42 & 0x1FFFFF;
        d->left = ~(d->c & (d->a | d->b)) & 0x1FFFFF;
    }
    int i = __builtin_ctzll(d->left);
    d->left &= d->left - 1;
    return (unsigned)((d->a >> i & 1) | (d->b >> i & 1) << 1 | (d->c >> i & 1) << 2);
}

static double waves, cleared;
static inline void settle(Stars *s, Lanes (*lines)(const Stars *), uint64_t *stream, int counting) {
    for (;;) {
        Lanes gone = lines(s);
        if (none(gone)) return;
        if (counting) waves++, cleared += count(gone);
        Digits digits = {stream, 0, 0, 0, 0};
        for (int word = 0; word < 3; word++) {
            uint64_t holes = (&gone.a)[word];
            if (!holes) continue;
            StarWord w = {(&s->p[0].a)[word], (&s->p[1].a)[word], (&s->p[2].a)[word]};
            uint64_t empty = fall(&w, holes, word == 2 ? WORD_C : WORD_AB, 0);
            for (; empty; empty &= empty - 1) add_star(&w, empty & -empty, 1 + digit(&digits));
            (&s->p[0].a)[word] = w.p, (&s->p[1].a)[word] = w.q, (&s->p[2].a)[word] = w.r;
        }
    }
}

static Stars boards[BOARDS];
static int from[BOARDS], to[BOARDS];

static void measure(const char *name, Lanes (*lines)(const Stars *)) {
    double times[REPEATS];
    uint64_t stream = 77;
    waves = cleared = 0;
    for (int i = 0; i < BOARDS; i++) {
        Stars s = boards[i];
        swap_stars(&s, from[i], to[i]);
        settle(&s, lines, &stream, 1);
    }
    for (int k = 0; k < REPEATS; k++) {
        double begin = now();
        for (int n = 0; n < 10; n++)
            for (int i = 0; i < BOARDS; i++) {
                Stars s = boards[i];
                swap_stars(&s, from[i], to[i]);
                settle(&s, lines, &stream, 0);
                STAY();
            }
        times[k] = (now() - begin) / 10 / BOARDS;
    }
    qsort(times, REPEATS, sizeof *times, ascending);
    printf("%s %.1f %.1f %.2f %.2f\n", name, times[0], times[REPEATS / 2], waves / BOARDS, cleared / BOARDS);
}

int main(int argc, char **argv) {
    int asteroids = argc > 1 ? atoi(argv[1]) : 4;
    uint64_t stream = argc > 2 ? strtoull(argv[2], 0, 10) : 12345;
    for (int i = 0; i < BOARDS; i++) {
        Stars s = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
        for (int x = 0; x < 11; x++)
            for (int y = 0; y < 11; y++) set_star(&s, 16 * x + y, 1 + (int)stream_draw(&stream, 5));
        for (int n = 0; n < asteroids; n++) set_star(&s, (int)(16 * stream_draw(&stream, 11) + stream_draw(&stream, 11)), 6);
        settle(&s, lines_portable, &stream, 0);
        /* a legal swap, found by trying: every pair of neighbours in a random order would do; the first of 1,000 tries is taken */
        int tries = 0, found = 0;
        while (!found && tries++ < 1000) {
            int x = (int)stream_draw(&stream, 11), y = (int)stream_draw(&stream, 11), across = (int)stream_draw(&stream, 2);
            if ((across ? x : y) == 10) continue;
            int one = 16 * x + y, other = one + (across ? 16 : 1);
            if (star_at(&s, one) > 5 || star_at(&s, other) > 5) continue;
            Stars t = s;
            swap_stars(&t, one, other);
            if (some(lines_portable(&t))) boards[i] = s, from[i] = one, to[i] = other, found = 1;
        }
        if (!found) i--;
    }
    measure("portable", lines_portable);
#if SKYCLAIM_X86
    measure("sse2", lines_sse2);
    if (__builtin_cpu_supports("avx2")) measure("avx2", lines_avx2);
#endif
    return 0;
}
