/* The search for one width of cell sets. count.c includes it with BYTES and NAME defined. */

typedef uint64_t NAME(Cells) __attribute__((vector_size(BYTES)));
#define Cells NAME(Cells)
#define WORDS (BYTES / 8)

typedef struct {
    Cells place[SATDOKU_MAX_DIGITS]; /* of each digit: the cells that may hold it, or do */
    Cells solved;                    /* cells whose digit is known and struck elsewhere */
} NAME(State);
#define State NAME(State)

typedef struct {
    const satdoku_count_tables *tables;
    Cells board;
    uint64_t grids, nodes, budget;
} NAME(Count);
#define Count NAME(Count)

static inline Cells NAME(load)(const uint64_t *words)
{
    Cells cells;
    memcpy(&cells, words, sizeof cells);
    return cells;
}

static inline int NAME(some)(Cells cells)
{
    uint64_t any = 0;
    for (int w = 0; w < WORDS; w++) any |= cells[w];
    return any != 0;
}

static inline int NAME(is_single)(Cells cells)
{
    uint64_t any = 0;
    int used = 0;
    for (int w = 0; w < WORDS; w++) {
        any |= cells[w];
        used += cells[w] != 0;
    }
    return used == 1 && (any & (any - 1)) == 0;
}

/* The first cell of a set that is not empty. */
static inline int NAME(first)(Cells cells)
{
    int w = 0;
    while (!cells[w]) w++;
    return 64 * w + __builtin_ctzll(cells[w]);
}

static inline Cells NAME(only)(int cell)
{
    Cells cells = {0};
    cells[cell / 64] = 1ull << cell % 64;
    return cells;
}

/* The candidate holds: strike what it excludes. */
static inline void NAME(strike)(const satdoku_count_tables *tables, State *state, int cell,
                                int digit)
{
    int candidate = cell * tables->digits + digit;
    for (int k = tables->kill_start[candidate]; k < tables->kill_start[candidate + 1]; k++)
        state->place[tables->kill_digit[k]] &= ~NAME(load)(tables->kill_cells + (size_t)k * WORDS);
}

static inline void NAME(put)(const satdoku_count_tables *tables, State *state, Cells cell,
                             int digit)
{
    for (int d = 0; d < tables->digits; d++)
        if (d != digit) state->place[d] &= ~cell;
}

/* A digit with one place left in a group goes there. Returns how many did, -1 if one has none. */
static int NAME(place_hidden)(const satdoku_count_tables *tables, State *state)
{
    int placed = 0;
    for (int64_t g = 0; g < tables->groups; g++) {
        int digit = tables->group_digit[g];
        Cells left = state->place[digit] & NAME(load)(tables->group_cells + g * WORDS);
        if (!NAME(some)(left)) return -1;
        if (NAME(is_single)(left) && NAME(some)(left & ~state->solved)) {
            NAME(put)(tables, state, left, digit);
            placed++;
        }
    }
    return placed;
}

/* Unit propagation. Returns 0 on a conflict, else 1; *pairs are the cells with two digits left. */
static int NAME(settle)(const Count *count, State *state, Cells *pairs)
{
    const satdoku_count_tables *tables = count->tables;
    for (;;) {
        Cells one = {0}, two = {0}, three = {0};
        for (int d = 0; d < tables->digits; d++) {
            Cells place = state->place[d];
            three |= two & place;
            two |= one & place;
            one |= place;
        }
        if (NAME(some)(count->board & ~one)) return 0;
        Cells fresh = one & ~two & ~state->solved;
        if (NAME(some)(fresh)) {
            state->solved |= fresh;
            for (int d = 0; d < tables->digits; d++) {
                Cells here = fresh & state->place[d];
                while (NAME(some)(here)) {
                    int cell = NAME(first)(here);
                    here &= ~NAME(only)(cell);
                    NAME(strike)(tables, state, cell, d);
                }
            }
            continue;
        }
        *pairs = two & ~three;
        int placed = NAME(place_hidden)(tables, state);
        if (placed <= 0) return placed == 0;
    }
}

/* A cell to branch on: the first with two digits left, or else the first with fewest. */
static int NAME(choose)(const Count *count, const State *state, Cells pairs)
{
    if (NAME(some)(pairs)) return NAME(first)(pairs);
    int best = -1, fewest = SATDOKU_MAX_DIGITS + 1;
    for (Cells open = count->board & ~state->solved; NAME(some)(open);) {
        int cell = NAME(first)(open), digits = 0;
        open &= ~NAME(only)(cell);
        for (int d = 0; d < count->tables->digits; d++)
            digits += (int)(state->place[d][cell / 64] >> cell % 64 & 1);
        if (digits < fewest) {
            fewest = digits;
            best = cell;
        }
    }
    return best;
}

static void NAME(explore)(Count *count, State *state)
{
    Cells pairs;
    if (count->nodes > count->budget) return;
    count->nodes++;
    if (count->nodes > count->budget || !NAME(settle)(count, state, &pairs)) return;
    if (!NAME(some)(count->board & ~state->solved)) {
        count->grids++;
        return;
    }
    int cell = NAME(choose)(count, state, pairs);
    Cells here = NAME(only)(cell);
    for (int d = 0; d < count->tables->digits; d++)
        if (NAME(some)(state->place[d] & here)) {
            State child = *state;
            NAME(put)(count->tables, &child, here, d);
            NAME(explore)(count, &child);
        }
}

static void NAME(count_puzzle)(const satdoku_count_tables *tables, const uint8_t *puzzle,
                               uint64_t budget, uint64_t *grids, uint64_t *nodes)
{
    Count count = {.tables = tables, .budget = budget};
    State state = {0};
    for (int cell = 0; cell < tables->cells; cell++) count.board |= NAME(only)(cell);
    for (int d = 0; d < tables->digits; d++) state.place[d] = count.board;
    for (int cell = 0; cell < tables->cells; cell++)
        if (puzzle[cell]) NAME(put)(tables, &state, NAME(only)(cell), puzzle[cell] - 1);
    NAME(explore)(&count, &state);
    *grids = count.grids;
    *nodes = count.nodes;
}

#undef Cells
#undef WORDS
#undef State
#undef Count
