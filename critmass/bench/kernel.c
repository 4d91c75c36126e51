/* The random matches of critmass/search/kernel.py in C, line by line the same algorithm: what `critmass bench search`
   measures the compiled kernel against. */

#include <stdint.h>

typedef uint64_t cells;

typedef struct {
    cells columns, rows, corners, sides, middle, not_west, not_east, all;
} grid;

typedef struct {
    cells ones, twos, fours, mine;
} state;

static cells critical_cells(const grid *g, const state *s) {
    return (g->corners & (s->twos | s->fours)) | (g->sides & (s->fours | (s->twos & s->ones))) | (g->middle & s->fours);
}

static void place(state *s, cells orb) {
    cells carry = s->ones & orb;
    s->ones ^= orb;
    s->fours ^= s->twos & carry;
    s->twos ^= carry;
}

static void hand_out(const grid *g, state *s, cells detonating, int keeps_surplus) {
    if (!keeps_surplus) {
        s->ones &= ~detonating;
        s->twos &= ~detonating;
        s->fours &= ~detonating;
        return;
    }
    cells corners = detonating & g->corners, sides = detonating & g->sides;
    cells ones = (s->ones & ~sides) | (sides & s->fours & ~s->ones);
    s->twos = (s->twos & ~(corners | sides)) | (sides & s->fours & s->ones);
    s->ones = ones;
    s->fours &= ~detonating;
}

static cells ring(const grid *g, state *s, int live, int keeps_surplus) {
    cells critical = critical_cells(g, s);
    if (live && s->mine == (s->ones | s->twos | s->fours)) critical = 0;
    if (!critical) return 0;
    hand_out(g, s, critical, keeps_surplus);

    cells north = critical << g->columns & g->all, south = critical >> g->columns;
    cells east = (critical & g->not_east) << 1, west = (critical & g->not_west) >> 1;
    cells odd_a = north ^ south, both_a = north & south, odd_b = east ^ west, both_b = east & west;
    cells one = odd_a ^ odd_b, two = (both_a ^ both_b) | (odd_a & odd_b), four = both_a & both_b;

    cells carry = s->ones & one, carry_two = (s->twos & two) | (carry & (s->twos | two));
    s->ones ^= one;
    s->twos ^= two ^ carry;
    s->fours ^= four ^ carry_two;
    s->mine = (s->mine | north | south | east | west) & (s->ones | s->twos | s->fours);
    return critical;
}

static void drop(const grid *g, state *s, cells orb, int live, int keeps_surplus) {
    place(s, orb);
    s->mine |= orb;
    while (ring(g, s, live, keeps_surplus)) {
    }
}

static cells spin(cells seed) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^ seed << 17;
}

static cells random_cell(const grid *g, cells legal, cells *seed) {
    for (;;) {
        *seed = spin(*seed);
        cells orb = (cells)1 << ((*seed >> 40) * (cells)__builtin_popcountll(g->all) >> 24);
        if (legal & orb) return orb;
    }
}

static int64_t play_randomly(const grid *g, int first_live_ply, int keeps_surplus, int64_t turn_limit, cells seed) {
    cells owners[2] = {0, 0};
    state s = {0, 0, 0, 0};
    int player = 0;
    for (int64_t ply = 1;; ply++) {
        int live = ply >= first_live_ply;
        s.mine = owners[player];
        cells legal = (g->all & ~(s.ones | s.twos | s.fours)) | owners[player];
        drop(g, &s, random_cell(g, legal, &seed), live, keeps_surplus);
        owners[1 - player] &= (s.ones | s.twos | s.fours) & ~s.mine;
        owners[player] = s.mine;
        if ((live && s.mine == (s.ones | s.twos | s.fours)) || ply >= turn_limit) return ply;
        player = 1 - player;
    }
}

int64_t play_many(
    const grid *g, int first_live_ply, int keeps_surplus, int64_t turn_limit, int64_t matches, cells seed
) {
    int64_t total = 0;
    for (int64_t match = 0; match < matches; match++) {
        seed = spin(seed);
        total += play_randomly(g, first_live_ply, keeps_surplus, turn_limit, seed);
    }
    return total;
}
