/* The scans of a whole board, for one instruction level; _lanes.h includes this file once for each.
 *
 * Nothing here looks at a colour: "the star at (x, y) has the colour of the one at (x + dx, y + dy)" is one set for
 * all colours at once, LIKE(dx, dy). Squares that are not stars are like nothing, since their code differs.
 * Rules 4 names the placements: lines of 3, diagonals of 4, 2 x 2 blocks, L of 4 (a line of 3 with a hook), X and V.
 */
#define LIKE(dx, dy) \
    WITHOUT(stars, OR(OR(XOR(p, SHIFT(p, dx, dy)), XOR(q, SHIFT(q, dx, dy))), XOR(r, SHIFT(r, dx, dy))))

/* All matched squares. */
LEVEL static Lanes SCAN(matched)(const Stars *s) {
    const SET p = READ(s->p[0]), q = READ(s->p[1]), r = READ(s->p[2]);
    const SET stars = WITHOUT(OR(OR(p, q), r), AND(q, r));
    const SET right = LIKE(1, 0), up = LIKE(0, 1), rise = LIKE(1, 1), fall = LIKE(1, -1);
    const SET row = AND(right, SHIFT(right, 1, 0)), column = AND(up, SHIFT(up, 0, 1)); /* 3 from here */
    const SET rise3 = AND(rise, SHIFT(rise, 1, 1)), fall3 = AND(fall, SHIFT(fall, 1, -1));
    const SET rise4 = AND(rise3, SHIFT(rise, 2, 2)), fall4 = AND(fall3, SHIFT(fall, 2, -2));
    const SET block = AND(AND(up, right), SHIFT(up, 1, 0));
    /* seen from a corner or a centre: an arm of two along either way of a diagonal; a neighbour on both ways */
    const SET rise_arms = OR(rise3, SHIFT(rise3, -2, -2)), fall_arms = OR(fall3, SHIFT(fall3, -2, 2));
    const SET corner = AND(rise_arms, fall_arms);
    const SET centre = AND(AND(rise, SHIFT(rise, -1, -1)), AND(fall, SHIFT(fall, -1, 1)));
    SET found = OR(OR(row, column), OR(block, OR(rise4, fall4)));
    if (!SOME(OR(found, OR(corner, centre)))) return nothing();

    found = OR(row, SHIFT(row, -1, 0));
    found = OR(found, OR(column, SHIFT(column, 0, -1)));
    SET part = OR(block, SHIFT(block, 0, -1));
    found = OR(found, OR(part, SHIFT(part, -1, 0)));
    part = OR(rise4, SHIFT(rise4, -1, -1));
    found = OR(found, OR(part, SHIFT(part, -2, -2)));
    part = OR(fall4, SHIFT(fall4, -1, 1));
    found = OR(found, OR(part, SHIFT(part, -2, 2)));
    if (SOME(OR(row, column))) {
        const SET row_far = SHIFT(row, -2, 0), column_far = SHIFT(column, 0, -2);
        const SET row_ends = OR(row, row_far), column_ends = OR(column, column_far);
        found = OR(found, OR(row_far, column_far));
        found = OR(found, SHIFT(AND(column_ends, right), -1, 0));
        found = OR(found, SHIFT(AND(column_ends, SHIFT(right, -1, 0)), 1, 0));
        found = OR(found, SHIFT(AND(row_ends, up), 0, -1));
        found = OR(found, SHIFT(AND(row_ends, SHIFT(up, 0, -1)), 0, 1));
    }
    if (SOME(centre)) {
        part = OR(centre, OR(SHIFT(centre, 1, 1), SHIFT(centre, -1, -1)));
        found = OR(found, OR(part, OR(SHIFT(centre, 1, -1), SHIFT(centre, -1, 1))));
    }
    if (SOME(corner)) {
        const SET ne = AND(rise3, fall_arms), sw = AND(SHIFT(rise3, -2, -2), fall_arms);
        const SET se = AND(fall3, rise_arms), nw = AND(SHIFT(fall3, -2, 2), rise_arms);
        found = OR(found, OR(corner, OR(SHIFT(ne, -1, -1), SHIFT(ne, -2, -2))));
        found = OR(found, OR(SHIFT(sw, 1, 1), SHIFT(sw, 2, 2)));
        found = OR(found, OR(SHIFT(se, -1, 1), SHIFT(se, -2, 2)));
        found = OR(found, OR(SHIFT(nw, 1, -1), SHIFT(nw, 2, -2)));
    }
    return WRITE(found);
}

/* The swaps after which one of the two squares is matched, without trying any. A star that goes from square s to its
 * neighbour t is matched there if its colour stands around t in one of the placements that hold t but not s. A placement
 * that is all diagonal (a diagonal of 4, an X, a V) never holds s, for s and t differ on the checkerboard.
 *
 * For each way u of the four diagonals, seen from a square n that has the star's colour and lies at t + u:
 *   next(u)    n's neighbour along u is like it
 *   ends(u)    next(u), and with it the star at t ends a placement: a diagonal of 4, a V's arm, an X's arm
 *   middle(u)  with the stars at t and at t - u: t is the middle of an arm, or next(u) makes a diagonal of 4
 */
LEVEL static Swaps SCAN(swaps)(const Stars *s) {
    const SET p = READ(s->p[0]), q = READ(s->p[1]), r = READ(s->p[2]);
    const SET stars = WITHOUT(OR(OR(p, q), r), AND(q, r));
    const SET r1 = LIKE(1, 0), u1 = LIKE(0, 1), ne1 = LIKE(1, 1), se1 = LIKE(1, -1), r2 = LIKE(2, 0), u2 = LIKE(0, 2);
    const SET e_ne = LIKE(2, 1), e_se = LIKE(2, -1), n_ne = LIKE(1, 2), s_se = LIKE(1, -2);
    const SET l1 = SHIFT(r1, -1, 0), d1 = SHIFT(u1, 0, -1), sw1 = SHIFT(ne1, -1, -1), nw1 = SHIFT(se1, -1, 1);

    const SET ne3 = AND(ne1, SHIFT(ne1, 1, 1)), se3 = AND(se1, SHIFT(se1, 1, -1));
    const SET sw3 = SHIFT(ne3, -2, -2), nw3 = SHIFT(se3, -2, 2);
    const SET rise_arms = OR(ne3, sw3), fall_arms = OR(se3, nw3);
    const SET rise_both = AND(ne1, sw1), fall_both = AND(se1, nw1);
    const SET ends_ne = OR(ne3, AND(ne1, OR(SHIFT(fall_arms, 1, 1), fall_both)));
    const SET ends_sw = OR(sw3, AND(sw1, OR(SHIFT(fall_arms, -1, -1), fall_both)));
    const SET ends_se = OR(se3, AND(se1, OR(SHIFT(rise_arms, 1, -1), rise_both)));
    const SET ends_nw = OR(nw3, AND(nw1, OR(SHIFT(rise_arms, -1, 1), rise_both)));
    const SET middle_ne = OR(ne1, fall_arms), middle_sw = OR(sw1, fall_arms);
    const SET middle_se = OR(se1, rise_arms), middle_nw = OR(nw1, rise_arms);

/* The star's own square is (0, 0) of every set here; t lies at (tx, ty). ne .. nw: the star is like the one there. */
#define DIAGONALS(tx, ty, ne, se, sw, nw) ( \
    ne_arm = AND(ne, SHIFT(ne1, tx + 1, ty + 1)), se_arm = AND(se, SHIFT(se1, tx + 1, ty - 1)), \
    sw_arm = AND(sw, SHIFT(sw1, tx - 1, ty - 1)), nw_arm = AND(nw, SHIFT(nw1, tx - 1, ty + 1)), \
    rising = AND(ne, sw), falling = AND(se, nw), \
    OR(OR(OR(OR(AND(ne, SHIFT(ends_ne, tx + 1, ty + 1)), AND(se, SHIFT(ends_se, tx + 1, ty - 1))), \
             OR(AND(sw, SHIFT(ends_sw, tx - 1, ty - 1)), AND(nw, SHIFT(ends_nw, tx - 1, ty + 1)))), \
          OR(AND(rising, OR(SHIFT(middle_ne, tx + 1, ty + 1), SHIFT(middle_sw, tx - 1, ty - 1))), \
             AND(falling, OR(SHIFT(middle_se, tx + 1, ty - 1), SHIFT(middle_nw, tx - 1, ty + 1))))), \
       OR(AND(rising, falling), AND(OR(ne_arm, sw_arm), OR(se_arm, nw_arm)))))
    SET ne_arm, se_arm, sw_arm, nw_arm, rising, falling, across, upward;

    { /* to the right: t = (1, 0) */
        across = AND(r2, SHIFT(r1, 2, 0));                                                       /* 3 straight ahead */
        across = OR(across, AND(ne1, OR(SHIFT(u1, 1, 1), se1)));                                 /* upright: above, or around */
        across = OR(across, AND(se1, SHIFT(u1, 1, -2)));                                         /* upright: below */
        across = OR(across, AND(r2, OR(AND(ne1, e_ne), AND(se1, e_se))));                        /* block */
        across = OR(across, DIAGONALS(1, 0, e_ne, e_se, d1, u1));
    }
    { /* to the left, by the right star's square: t = (-1, 0); then moved to the left one's */
        const SET l2 = SHIFT(r2, -2, 0), w_nw = SHIFT(e_se, -2, 1), w_sw = SHIFT(e_ne, -2, -1);
        SET left = AND(l2, SHIFT(l1, -2, 0));
        left = OR(left, AND(nw1, OR(SHIFT(u1, -1, 1), sw1)));
        left = OR(left, AND(sw1, SHIFT(u1, -1, -2)));
        left = OR(left, AND(l2, OR(AND(nw1, w_nw), AND(sw1, w_sw))));
        left = OR(left, DIAGONALS(-1, 0, u1, d1, w_sw, w_nw));
        across = OR(across, SHIFT(left, 1, 0));
    }
    { /* up: t = (0, 1) */
        const SET n_nw = SHIFT(s_se, -1, 2);
        upward = AND(u2, SHIFT(u1, 0, 2));
        upward = OR(upward, AND(ne1, OR(SHIFT(r1, 1, 1), nw1)));
        upward = OR(upward, AND(nw1, SHIFT(r1, -2, 1)));
        upward = OR(upward, AND(u2, OR(AND(ne1, n_ne), AND(nw1, n_nw))));
        upward = OR(upward, DIAGONALS(0, 1, n_ne, r1, l1, n_nw));
    }
    { /* down, by the upper star's square: t = (0, -1); then moved to the lower one's */
        const SET d2 = SHIFT(u2, 0, -2), s_sw = SHIFT(n_ne, -1, -2);
        SET down = AND(d2, SHIFT(d1, 0, -2));
        down = OR(down, AND(se1, OR(SHIFT(r1, 1, -1), sw1)));
        down = OR(down, AND(sw1, SHIFT(r1, -2, -1)));
        down = OR(down, AND(d2, OR(AND(se1, s_se), AND(sw1, s_sw))));
        down = OR(down, DIAGONALS(0, -1, r1, s_se, s_sw, l1));
        upward = OR(upward, SHIFT(down, 0, 1));
    }
    /* Two unlike stars only, so far: of like ones nothing moves, and they count if one of them is matched as it stands. */
    across = WITHOUT(across, r1);
    upward = WITHOUT(upward, u1);
    const SET row = AND(r1, SHIFT(r1, 1, 0)), column = AND(u1, SHIFT(u1, 0, 1)), block = AND(AND(u1, r1), SHIFT(u1, 1, 0));
    const SET rise4 = AND(ne3, SHIFT(ne1, 2, 2)), fall4 = AND(se3, SHIFT(se1, 2, -2));
    const SET crossed = OR(AND(rise_arms, fall_arms), AND(rise_both, fall_both));
    if (SOME(OR(OR(OR(row, column), block), OR(OR(rise4, fall4), crossed)))) {
        /* never at rest; then an L may gain its hook too: a star beside the end of a standing line of 3 */
        const SET marks = READ(SCAN(matched)(s));
        across = OR(across, AND(r1, OR(marks, SHIFT(marks, 1, 0))));
        upward = OR(upward, AND(u1, OR(marks, SHIFT(marks, 0, 1))));
        const SET row_ends = OR(row, SHIFT(row, -2, 0)), column_ends = OR(column, SHIFT(column, 0, -2));
#define HOOK(likeness, ends, ex, ey) AND(likeness, SHIFT(ends, ex, ey)) /* the line's end at (ex, ey) is like the star */
        SET hook = OR(HOOK(r2, column_ends, 2, 0), OR(HOOK(ne1, row_ends, 1, 1), HOOK(se1, row_ends, 1, -1)));
        across = OR(across, WITHOUT(hook, r1));
        hook = OR(HOOK(SHIFT(r2, -2, 0), column_ends, -2, 0), OR(HOOK(nw1, row_ends, -1, 1), HOOK(sw1, row_ends, -1, -1)));
        across = OR(across, WITHOUT(SHIFT(hook, 1, 0), r1));
        hook = OR(HOOK(u2, row_ends, 0, 2), OR(HOOK(ne1, column_ends, 1, 1), HOOK(nw1, column_ends, -1, 1)));
        upward = OR(upward, WITHOUT(hook, u1));
        hook = OR(HOOK(SHIFT(u2, 0, -2), row_ends, 0, -2), OR(HOOK(se1, column_ends, 1, -1), HOOK(sw1, column_ends, -1, -1)));
        upward = OR(upward, WITHOUT(SHIFT(hook, 0, 1), u1));
#undef HOOK
    }
    /* both squares hold a star */
    across = AND(across, AND(stars, SHIFT(stars, 1, 0)));
    upward = AND(upward, AND(stars, SHIFT(stars, 0, 1)));
    Swaps result = {WRITE(across), WRITE(upward)};
    return result;
#undef DIAGONALS
}

/* The seeds, and all that hangs together with them over `through` by sides and corners. */
LEVEL static Lanes SCAN(flood)(Lanes seeds, Lanes through) {
    const SET open = READ(through);
    SET found = READ(seeds), before;
    do {
        before = found;
        SET column = OR(found, OR(SHIFT(found, 0, 1), SHIFT(found, 0, -1)));
        column = OR(column, OR(SHIFT(column, 1, 0), SHIFT(column, -1, 0)));
        found = OR(found, AND(column, open));
    } while (SOME(XOR(found, before)));
    return WRITE(found);
}

#undef LIKE
#undef SCAN
#undef LEVEL
#undef SET
#undef READ
#undef WRITE
#undef AND
#undef OR
#undef XOR
#undef WITHOUT
#undef SHIFT
#undef SOME
