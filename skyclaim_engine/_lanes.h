/* Sets of squares of the 11 x 11 board, and what stars do on it. Plain C, no Python, no state.
 *
 * A set is three 64-bit words; a column is a lane of 16 bits; a row is a bit:
 *
 *   word      a: columns a b c d      b: columns e f g h      c: columns i j k
 *   lane      |kkkkkkkkkkk.....| bits 0..10 are rows 1..11, bits 11..15 stay zero
 *   place     16 * column + row = 64 * word + bit, 0..170; "place" is how the core names a square
 *
 * The five spare bits let a set move up or down by as much as three rows without running into the next
 * column, once the result is masked with real squares. A star's colour is a code in three such sets
 * ("planes"): 0 empty, 1..5 the colours, 6 an asteroid, 7 a dark square of an observation.
 */
#ifndef SKYCLAIM_LANES_H
#define SKYCLAIM_LANES_H

#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef struct { uint64_t a, b, c; } Lanes;

#define PLACES 176
#define ROW_1 0x0001000100010001ull
#define WORD_AB 0x07FF07FF07FF07FFull /* words a and b hold four columns */
#define WORD_C 0x000007FF07FF07FFull  /* word c holds three */

INLINE Lanes lanes(uint64_t a, uint64_t b, uint64_t c) { Lanes r = {a, b, c}; return r; }
INLINE Lanes nothing(void) { return lanes(0, 0, 0); }
INLINE Lanes everything(void) { return lanes(WORD_AB, WORD_AB, WORD_C); }
INLINE Lanes both(Lanes x, Lanes y) { return lanes(x.a & y.a, x.b & y.b, x.c & y.c); }
INLINE Lanes either(Lanes x, Lanes y) { return lanes(x.a | y.a, x.b | y.b, x.c | y.c); }
INLINE Lanes differ(Lanes x, Lanes y) { return lanes(x.a ^ y.a, x.b ^ y.b, x.c ^ y.c); }
INLINE Lanes without(Lanes x, Lanes y) { return lanes(x.a & ~y.a, x.b & ~y.b, x.c & ~y.c); }
INLINE int none(Lanes x) { return !(x.a | x.b | x.c); }
INLINE int some(Lanes x) { return (x.a | x.b | x.c) != 0; }
INLINE int same(Lanes x, Lanes y) { return none(differ(x, y)); }
INLINE int overlap(Lanes x, Lanes y) { return ((x.a & y.a) | (x.b & y.b) | (x.c & y.c)) != 0; }
INLINE int inside(Lanes x, Lanes y) { return none(without(x, y)); }
INLINE int has(const Lanes *x, int place) { return (int)((&x->a)[place >> 6] >> (place & 63)) & 1; }
INLINE void add(Lanes *x, int place) { (&x->a)[place >> 6] |= 1ull << (place & 63); }
INLINE void drop(Lanes *x, int place) { (&x->a)[place >> 6] &= ~(1ull << (place & 63)); }
INLINE void put(Lanes *x, int place, int bit) {
    uint64_t *w = &(&x->a)[place >> 6];
    *w = (*w & ~(1ull << (place & 63))) | (uint64_t)(bit & 1) << (place & 63);
}
INLINE Lanes only(int place) { Lanes r = nothing(); add(&r, place); return r; }
/* all squares of the given rows: bit y of `rows` is row y + 1 */
INLINE Lanes rows_of(unsigned rows) { uint64_t w = rows * ROW_1; return lanes(w & WORD_AB, w & WORD_AB, w & WORD_C); }

/* the set whose square (x, y) is the square (x + dx, y + dy) of v; dx and dy are constants, -3..3 */
INLINE Lanes shift(Lanes v, int dx, int dy) {
    const int s = 16 * (dx < 0 ? -dx : dx);
    if (dx > 0) v = lanes(v.a >> s | v.b << (64 - s), v.b >> s | v.c << (64 - s), v.c >> s);
    if (dx < 0) v = lanes(v.a << s, v.b << s | v.a >> (64 - s), v.c << s | v.b >> (64 - s));
    if (dy > 0) v = lanes(v.a >> dy, v.b >> dy, v.c >> dy);
    if (dy < 0) v = lanes(v.a << -dy, v.b << -dy, v.c << -dy);
    return v;
}

/* the set and every square beside it */
INLINE Lanes around(Lanes v) {
    v = either(v, either(shift(v, 0, 1), shift(v, 0, -1)));
    return both(either(v, either(shift(v, 1, 0), shift(v, -1, 0))), everything());
}

/* how many squares; portable, since the x86-64 baseline has no instruction for it. Sums of 4 bits stay under 16. */
INLINE int count(Lanes v) {
    const uint64_t m1 = 0x5555555555555555ull, m2 = 0x3333333333333333ull, m4 = 0x0F0F0F0F0F0F0F0Full;
    v.a -= v.a >> 1 & m1;
    v.b -= v.b >> 1 & m1;
    v.c -= v.c >> 1 & m1;
    uint64_t s = (v.a & m2) + (v.a >> 2 & m2) + (v.b & m2) + (v.b >> 2 & m2) + (v.c & m2) + (v.c >> 2 & m2);
    return (int)(((s & m4) + (s >> 4 & m4)) * 0x0101010101010101ull >> 56);
}

/* ---- the view order of a side: row by row from its back row, each row from its left. 0 = South, 1 = North. */
INLINE uint64_t columns_of_row(uint64_t word, int y) { return word >> y & ROW_1; }

INLINE int lowest(Lanes v, int side) {
    uint64_t all = v.a | v.b | v.c;
    all |= all >> 32;
    all |= all >> 16;
    unsigned rows = (unsigned)all & 0x07FF;
    int y = side ? 31 - __builtin_clz(rows) : __builtin_ctz(rows);
    uint64_t a = columns_of_row(v.a, y), b = columns_of_row(v.b, y), c = columns_of_row(v.c, y);
    if (side) return (c ? 128 + 63 - __builtin_clzll(c) : b ? 64 + 63 - __builtin_clzll(b) : 63 - __builtin_clzll(a)) + y;
    return (a ? __builtin_ctzll(a) : b ? 64 + __builtin_ctzll(b) : 128 + __builtin_ctzll(c)) + y;
}
INLINE int take_lowest(Lanes *v, int side) { int place = lowest(*v, side); drop(v, place); return place; }

/* any order will do: columns from a, each from row 1 */
INLINE int first_place(Lanes v) {
    return v.a ? __builtin_ctzll(v.a) : v.b ? 64 + __builtin_ctzll(v.b) : 128 + __builtin_ctzll(v.c);
}
INLINE int take_first(Lanes *v) { int place = first_place(*v); drop(v, place); return place; }

/* Writes `base` + `factor` * place for every square of the set, in any order; returns where the next number goes. */
INLINE uint64_t *write_places(uint64_t *out, uint64_t base, uint64_t factor, Lanes v) {
    for (uint64_t w = v.a; w; w &= w - 1) *out++ = base + factor * (uint64_t)__builtin_ctzll(w);
    for (uint64_t w = v.b; w; w &= w - 1) *out++ = base + factor * (64 + (uint64_t)__builtin_ctzll(w));
    for (uint64_t w = v.c; w; w &= w - 1) *out++ = base + factor * (128 + (uint64_t)__builtin_ctzll(w));
    return out;
}

/* The same for a few squares: one loop whose end is hard to foresee instead of three. */
INLINE uint64_t *write_few(uint64_t *out, uint64_t base, Lanes v) {
    while (v.a | v.b | v.c) {
        uint64_t w = v.a ? v.a : v.b ? v.b : v.c, rest = w & (w - 1);
        *out++ = base + (v.a ? 0 : v.b ? 64 : 128) + (uint64_t)__builtin_ctzll(w);
        v.c = v.a | v.b ? v.c : rest;
        v.b = v.a || !v.b ? v.b : rest;
        v.a = v.a ? rest : 0;
    }
    return out;
}

/* ---- the stream of chance (rules 3): SplitMix64 */
INLINE uint64_t stream_next(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}
INLINE uint32_t stream_draw(uint64_t *state, uint32_t n) { return (uint32_t)((stream_next(state) >> 32) * n >> 32); }

/* ---- stars */
typedef struct { Lanes p[3]; } Stars;

INLINE int star_at(const Stars *s, int place) {
    return has(&s->p[0], place) | has(&s->p[1], place) << 1 | has(&s->p[2], place) << 2;
}
INLINE void set_star(Stars *s, int place, int code) {
    put(&s->p[0], place, code);
    put(&s->p[1], place, code >> 1);
    put(&s->p[2], place, code >> 2);
}
INLINE Lanes asteroids_of(const Stars *s) { return without(both(s->p[1], s->p[2]), s->p[0]); }
INLINE Lanes dark_of(const Stars *s) { return both(both(s->p[0], s->p[1]), s->p[2]); }
INLINE Lanes stars_of(const Stars *s) {
    return without(either(either(s->p[0], s->p[1]), s->p[2]), both(s->p[1], s->p[2]));
}
/* colour 1..5: the codes are 001 010 011 100 101 (plane 2, 1, 0) */
INLINE Lanes colour_of(const Stars *s, int colour) {
    switch (colour) {
    case 1: return without(without(s->p[0], s->p[1]), s->p[2]);
    case 2: return without(without(s->p[1], s->p[0]), s->p[2]);
    case 3: return without(both(s->p[0], s->p[1]), s->p[2]);
    case 4: return without(without(s->p[2], s->p[0]), s->p[1]);
    default: return without(both(s->p[2], s->p[0]), s->p[1]);
    }
}
INLINE void swap_stars(Stars *s, int one, int other) {
    for (int i = 0; i < 3; i++) {
        uint64_t *w = &s->p[i].a;
        uint64_t d = (w[one >> 6] >> (one & 63) ^ w[other >> 6] >> (other & 63)) & 1;
        w[one >> 6] ^= d << (one & 63);
        w[other >> 6] ^= d << (other & 63);
    }
}
INLINE void clear_stars(Stars *s, Lanes gone) {
    for (int i = 0; i < 3; i++) s->p[i] = without(s->p[i], gone);
}

/* ---- flow (rules 4), a word at a time: the stars fall, then new ones come in. */
#define TOP 0x0800080008000800ull    /* a stop above every column */
#define BOTTOM 0x8000800080008000ull /* bit 15 of a lane lies just under row 1 of the next */

typedef struct { uint64_t p, q, r; } StarWord; /* one word of the three planes */

/* `gone` are the squares just emptied. Each hole is closed by moving what stands between it and the next asteroid by
 * one; the hole farthest from the back row goes first, so that the others keep their places. Returns what is empty then. */
INLINE uint64_t fall(StarWord *s, uint64_t gone, uint64_t board, int side) {
    uint64_t full = board & ~gone, p = s->p & ~gone, q = s->q & ~gone, r = s->r & ~gone;
    const uint64_t rocks = q & r & ~p;
    while (gone) {
        uint64_t part;
        if (side == 0) {
            uint64_t hole = 1ull << (63 - __builtin_clzll(gone)), stop = (rocks | TOP) & ~((hole << 1) - 1);
            gone ^= hole;
            part = (stop & -stop) - hole;
            p = (p & ~part) | ((p & part) >> 1 & part);
            q = (q & ~part) | ((q & part) >> 1 & part);
            r = (r & ~part) | ((r & part) >> 1 & part);
            full = (full & ~part) | ((full & part) >> 1 & part);
        } else {
            uint64_t hole = gone & -gone, stop = (rocks | BOTTOM) & (hole - 1);
            gone ^= hole;
            part = ((hole << 1) - 1) & ~(stop ? (2ull << (63 - __builtin_clzll(stop))) - 1 : 0);
            p = (p & ~part) | ((p & part) << 1 & part);
            q = (q & ~part) | ((q & part) << 1 & part);
            r = (r & ~part) | ((r & part) << 1 & part);
            full = (full & ~part) | ((full & part) << 1 & part);
        }
    }
    s->p = p, s->q = q, s->r = r;
    return board & ~full;
}

INLINE void add_star(StarWord *s, uint64_t bit, unsigned colour) {
    s->p |= bit & -(uint64_t)(colour & 1);
    s->q |= bit & -(uint64_t)(colour >> 1 & 1);
    s->r |= bit & -(uint64_t)(colour >> 2);
}

/* New stars in the view order of columns: from the left, each from the back row outward. */
INLINE void refill(StarWord *s, uint64_t empty, int side, uint64_t *stream) {
    while (empty) {
        uint64_t bit = side ? 1ull << (63 - __builtin_clzll(empty)) : empty & -empty;
        empty ^= bit;
        add_star(s, bit, 1 + stream_draw(stream, 5));
    }
}

INLINE void flow_word(Stars *s, int word, uint64_t gone, int side, uint64_t *stream) {
    if (!gone) return;
    StarWord w = {(&s->p[0].a)[word], (&s->p[1].a)[word], (&s->p[2].a)[word]};
    refill(&w, fall(&w, gone, word == 2 ? WORD_C : WORD_AB, side), side, stream);
    (&s->p[0].a)[word] = w.p, (&s->p[1].a)[word] = w.q, (&s->p[2].a)[word] = w.r;
}
INLINE void flow(Stars *s, Lanes gone, int side, uint64_t *stream) {
    if (side == 0) {
        flow_word(s, 0, gone.a, 0, stream), flow_word(s, 1, gone.b, 0, stream), flow_word(s, 2, gone.c, 0, stream);
    } else {
        flow_word(s, 2, gone.c, 1, stream), flow_word(s, 1, gone.b, 1, stream), flow_word(s, 0, gone.a, 1, stream);
    }
}

/* ---- the three scans of a whole board, written once in _scans.h and built for each instruction level */
typedef struct { Lanes across, up; } Swaps; /* swaps with the right neighbour and with the upper one, by the lower place */

#define SCAN(name) name##_portable
#define LEVEL
#define SET Lanes
#define READ(x) (x)
#define WRITE(x) (x)
#define AND both
#define OR either
#define XOR differ
#define WITHOUT without
#define SHIFT shift
#define SOME some
#include "_scans.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SKYCLAIM_X86 1
#include <immintrin.h>
/* SSE2 belongs to the baseline of x86-64. Two registers hold a set: words a and b; word c and zero. */
typedef struct { __m128i ab, c; } Pair;
INLINE Pair pair(__m128i ab, __m128i c) { Pair r = {ab, c}; return r; }
INLINE Pair pair_read(Lanes v) {
    return pair(_mm_set_epi64x((long long)v.b, (long long)v.a), _mm_set_epi64x(0, (long long)v.c));
}
INLINE Lanes pair_write(Pair v) {
    uint64_t w[2];
    _mm_storeu_si128((__m128i *)w, v.ab);
    return lanes(w[0], w[1], (uint64_t)_mm_cvtsi128_si64(v.c));
}
INLINE Pair pair_and(Pair x, Pair y) { return pair(_mm_and_si128(x.ab, y.ab), _mm_and_si128(x.c, y.c)); }
INLINE Pair pair_or(Pair x, Pair y) { return pair(_mm_or_si128(x.ab, y.ab), _mm_or_si128(x.c, y.c)); }
INLINE Pair pair_xor(Pair x, Pair y) { return pair(_mm_xor_si128(x.ab, y.ab), _mm_xor_si128(x.c, y.c)); }
INLINE Pair pair_without(Pair x, Pair y) { return pair(_mm_andnot_si128(y.ab, x.ab), _mm_andnot_si128(y.c, x.c)); }
INLINE int pair_some(Pair x) {
    return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_or_si128(x.ab, x.c), _mm_setzero_si128())) != 0xFFFF;
}
INLINE Pair pair_shift(Pair v, int dx, int dy) {
    if (dx == 1) v = pair(_mm_or_si128(_mm_srli_si128(v.ab, 2), _mm_slli_si128(v.c, 14)), _mm_srli_si128(v.c, 2));
    if (dx == 2) v = pair(_mm_or_si128(_mm_srli_si128(v.ab, 4), _mm_slli_si128(v.c, 12)), _mm_srli_si128(v.c, 4));
    if (dx == -1) v = pair(_mm_slli_si128(v.ab, 2), _mm_or_si128(_mm_slli_si128(v.c, 2), _mm_srli_si128(v.ab, 14)));
    if (dx == -2) v = pair(_mm_slli_si128(v.ab, 4), _mm_or_si128(_mm_slli_si128(v.c, 4), _mm_srli_si128(v.ab, 12)));
    if (dy > 0) v = pair(_mm_srli_epi16(v.ab, dy), _mm_srli_epi16(v.c, dy));
    if (dy < 0) v = pair(_mm_slli_epi16(v.ab, -dy), _mm_slli_epi16(v.c, -dy));
    return v;
}
#define SCAN(name) name##_sse2
#define LEVEL
#define SET Pair
#define READ pair_read
#define WRITE pair_write
#define AND pair_and
#define OR pair_or
#define XOR pair_xor
#define WITHOUT pair_without
#define SHIFT pair_shift
#define SOME pair_some
#include "_scans.h"

/* With AVX2 one register holds a set: words a, b, c and a fourth that is zero. */
#define AVX2 __attribute__((always_inline, target("avx2"))) static inline
AVX2 __m256i wide_read(Lanes v) { return _mm256_set_epi64x(0, (long long)v.c, (long long)v.b, (long long)v.a); }
AVX2 Lanes wide_write(__m256i v) {
    uint64_t w[4];
    _mm256_storeu_si256((__m256i *)w, v);
    return lanes(w[0], w[1], w[2]);
}
AVX2 __m256i wide_and(__m256i x, __m256i y) { return _mm256_and_si256(x, y); }
AVX2 __m256i wide_or(__m256i x, __m256i y) { return _mm256_or_si256(x, y); }
AVX2 __m256i wide_xor(__m256i x, __m256i y) { return _mm256_xor_si256(x, y); }
AVX2 __m256i wide_without(__m256i x, __m256i y) { return _mm256_andnot_si256(y, x); }
AVX2 int wide_some(__m256i x) { return !_mm256_testz_si256(x, x); }
AVX2 __m256i wide_shift(__m256i v, int dx, int dy) {
    if (dx > 0) {
        __m256i over = _mm256_permute2x128_si256(v, v, 0x81);
        v = dx == 1 ? _mm256_alignr_epi8(over, v, 2) : _mm256_alignr_epi8(over, v, 4);
    }
    if (dx < 0) {
        __m256i over = _mm256_permute2x128_si256(v, v, 0x08);
        v = dx == -1 ? _mm256_alignr_epi8(v, over, 14) : _mm256_alignr_epi8(v, over, 12);
    }
    if (dy > 0) v = _mm256_srli_epi16(v, dy);
    if (dy < 0) v = _mm256_slli_epi16(v, -dy);
    return v;
}
#define SCAN(name) name##_avx2
#define LEVEL __attribute__((target("avx2")))
#define SET __m256i
#define READ wide_read
#define WRITE wide_write
#define AND wide_and
#define OR wide_or
#define XOR wide_xor
#define WITHOUT wide_without
#define SHIFT wide_shift
#define SOME wide_some
#include "_scans.h"
#else
#define SKYCLAIM_X86 0
#endif

/* The instruction level is chosen once, at import: 0 plain C, 1 SSE2, 2 AVX2; the wanted one, or the next that is there. */
__attribute__((unused)) static Lanes (*matched)(const Stars *) = matched_portable;
__attribute__((unused)) static Swaps (*swaps)(const Stars *) = swaps_portable;
__attribute__((unused)) static Lanes (*flood)(Lanes, Lanes) = flood_portable;

__attribute__((unused)) static int choose_level(int wanted) {
#if SKYCLAIM_X86
    if (wanted >= 2 && __builtin_cpu_supports("avx2")) {
        matched = matched_avx2, swaps = swaps_avx2, flood = flood_avx2;
        return 2;
    }
    if (wanted >= 1) {
        matched = matched_sse2, swaps = swaps_sse2, flood = flood_sse2;
        return 1;
    }
#endif
    (void)wanted;
    matched = matched_portable, swaps = swaps_portable, flood = flood_portable;
    return 0;
}

/* ---- the key of a whole position: `size` is a multiple of 8.
 * Every word takes part, so no field can be forgotten. Two chains, to hide the latency of the multiplications. */
INLINE uint64_t fold(uint64_t x, uint64_t y) {
    unsigned __int128 m = (unsigned __int128)x * y;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}
INLINE uint64_t mix_words(const void *data, size_t size) {
    uint64_t one = 0x9E3779B97F4A7C15ull, two = 0xD1B54A32D192ED03ull, w[2];
    size_t i = 0;
    for (; i + 16 <= size; i += 16) {
        memcpy(w, (const char *)data + i, 16);
        one = fold(one ^ w[0], 0xA0761D6478BD642Full + i);
        two = fold(two ^ w[1], 0xE7037ED1A0B428DBull + i);
    }
    if (i < size) {
        memcpy(w, (const char *)data + i, 8);
        one = fold(one ^ w[0], 0xA0761D6478BD642Full + i);
    }
    return fold(one ^ 0x8EBC6AF09C88C6E3ull, two ^ 0x589965CC75374CC3ull);
}

#endif
