/* Proof trees by search.
 *
 * Law: the tree of a puzzle depends on nothing but the puzzle and the formula: not on the puzzles
 * beside it, nor on the target. Included once for each target; expects LANES. */

typedef struct {
    uint8_t *solutions; /* cells digits each, ascending: room for most + 1 */
    size_t count, most;
    uint8_t *tree;
    size_t length, room; /* in bytes */
    int is_short;        /* whether to look ahead: a quarter of the bytes, in five times the time */
} tree_proof;

typedef enum {
    TREE_MADE,
    TREE_MORE,    /* more solutions than asked for: most + 1 of them, and no tree */
    TREE_NO_ROOM, /* the tree is longer than its room, or deeper than the board has cells */
} tree_outcome;

/* The clauses that have two literals left, block by block. */
static void find_pairs(const tree_formula *f, const tree_row *state, tree_row *pairs)
{
    for (uint32_t block = 0; block < f->blocks; block++) {
        const uint32_t begin = f->base[block], open = f->base[block + 1] - 1;
        tree_row once = {0}, twice = {0}, more = {0};
        for (uint32_t row = begin; row < open; row++)
            for (int i = 0; i < TREE_WORDS; i++) {
                more.word[i] |= twice.word[i] & state[row].word[i];
                twice.word[i] |= once.word[i] & state[row].word[i];
                once.word[i] |= state[row].word[i];
            }
        for (int i = 0; i < TREE_WORDS; i++)
            pairs[block].word[i] = ~more.word[i] & state[open].word[i];
    }
}

/* How many of the cells with two digits lose one if the variable becomes true; in a block, cells are
 * in so many words at most. */
INLINE uint32_t effect_in(const tree_formula *f, const tree_row *state, const tree_row *pairs,
                          uint32_t variable, const int words)
{
    uint32_t sum = 0, e = f->first[variable];
    const uint32_t end = f->first[variable + 1];
    for (uint32_t block = 0; block * TREE_BLOCK < f->cells; block++) {
        const uint32_t open = f->base[block + 1] - 1;
        uint64_t lost[TREE_WORDS] = {0};
        for (; e < end && f->where[e] < open; e++)
            for (int i = 0; i < words; i++)
                lost[i] |= state[f->where[e]].word[i] & f->change[e].word[i];
        for (int i = 0; i < words; i++)
            sum += (uint32_t)__builtin_popcountll(lost[i] & pairs[block].word[i]);
        while (e < end && f->where[e] == open) e++;
    }
    return sum;
}

static uint32_t effect(const tree_formula *f, const tree_row *state, const tree_row *pairs,
                       uint32_t variable)
{
    return f->cells <= 128 ? effect_in(f, state, pairs, variable, 2)
                           : effect_in(f, state, pairs, variable, TREE_WORDS);
}

/* The product of what the two digits of a cell do; 0 for another cell. */
static uint32_t score(const tree_formula *f, const tree_row *state, const tree_row *pairs,
                      uint32_t cell)
{
    uint32_t product = (uint32_t)tree_has(pairs + cell / TREE_BLOCK, cell);
    for (uint32_t at = f->start[cell]; product && at < f->start[cell + 1]; at++)
        if (tree_is_left(f, state, cell, at - f->start[cell]))
            product *= 1 + effect(f, state, pairs, f->literal[at]);
    return product;
}

/* The same without clauses that are not of cells; 0 if none is left. */
static int keep_cells(const tree_formula *f, tree_row *pairs)
{
    uint64_t any = 0;
    for (uint32_t word = 0; word < f->blocks * TREE_WORDS; word++) {
        uint64_t *bits = pairs[word / TREE_WORDS].word + word % TREE_WORDS;
        if (64 * word >= f->cells)
            *bits = 0;
        else if (64 * (word + 1) > f->cells)
            *bits &= ((uint64_t)1 << f->cells % 64) - 1;
        any |= *bits;
    }
    return any != 0;
}

/* The first of these clauses that is about candidates alone; UINT32_MAX if there is none. */
static uint32_t first_of(const tree_formula *f, const tree_row *pairs)
{
    for (uint32_t word = 0; word < f->blocks * TREE_WORDS; word++)
        for (uint64_t bits = pairs[word / TREE_WORDS].word[word % TREE_WORDS]; bits;
             bits &= bits - 1) {
            const uint32_t clause = 64 * word + (uint32_t)__builtin_ctzll(bits);
            if (f->literal[f->start[clause + 1] - 1] < f->cells * f->digits) return clause;
        }
    return UINT32_MAX;
}

/* The open clause to split: of the cells with two digits left the one whose digits do most; or else
 * the first other clause with two candidates; or else the first cell with the fewest digits; or else
 * the first clause. */
static uint32_t choose(const tree_formula *f, const tree_row *state, tree_row *pairs)
{
    uint32_t best = UINT32_MAX, top = 0, fewest = UINT32_MAX;
    find_pairs(f, state, pairs);
    const uint32_t first = first_of(f, pairs);
    if (!keep_cells(f, pairs) && first != UINT32_MAX) return first;
    for (uint32_t cell = 0; first != UINT32_MAX && cell < f->cells; cell++) {
        const uint32_t product = score(f, state, pairs, cell);
        if (product > top) top = product, best = cell;
    }
    for (uint32_t cell = 0; !top && cell < f->cells; cell++) {
        const uint32_t left = tree_left(f, state, cell);
        if (left && left < fewest) fewest = left, best = cell;
    }
    for (uint32_t clause = f->cells; best == UINT32_MAX; clause++)
        if (tree_left(f, state, clause)) best = clause;
    return best;
}

static uint32_t open_clauses(const tree_formula *f, const tree_row *state)
{
    uint32_t sum = 0;
    for (uint32_t block = 0; block < f->blocks; block++)
        for (int i = 0; i < TREE_WORDS; i++)
            sum += (uint32_t)__builtin_popcountll(state[f->base[block + 1] - 1].word[i]);
    return sum;
}

/* The steps of a search, on states of planes or of rows. */
#if HAS_VECTORS
#define EITHER(m, on_planes, on_rows) ((m)->planes ? on_planes : on_rows)
#else
#define EITHER(m, on_planes, on_rows) on_rows
#endif

static size_t state_rows(const tree_maker *m)
{
    return EITHER(m, planes_rows(), m->formula->rows);
}

static int propagate(const tree_maker *m, tree_row *state)
{
    return EITHER(m, planes_propagate(m->planes, state), tree_propagate(m->formula, state));
}

static int take(const tree_maker *m, tree_row *rest, tree_row *child, uint32_t clause)
{
    return EITHER(m, planes_take(m->planes, rest, child, clause),
                  tree_take(m->formula, rest, child, clause));
}

static int solved(const tree_maker *m, const tree_row *state, uint8_t *digits)
{
    return EITHER(m, planes_digits(state, digits), tree_digits(m->formula, state, digits));
}

static uint32_t left_of(const tree_maker *m, const tree_row *state, uint32_t cell)
{
    return EITHER(m, planes_left(state, cell), tree_left(m->formula, state, cell));
}

static uint32_t still_open(const tree_maker *m, const tree_row *state)
{
    return EITHER(m, planes_open(m->planes, state), open_clauses(m->formula, state));
}

static uint32_t chosen(const tree_maker *m, const tree_row *state, tree_row *scratch)
{
    return EITHER(m, planes_choose(m->planes, state), choose(m->formula, state, scratch));
}

/* What is left to do below the split of a cell: as if the bytes of a tree doubled with every `step`
 * open clauses. `scratch` has room for two states. */
static uint64_t cost(const tree_maker *m, const tree_row *state, tree_row *scratch, uint32_t cell,
                     uint32_t step)
{
    uint64_t sum = 0;
    tree_row *const child = scratch + state_rows(m);
    memcpy(scratch, state, state_rows(m) * sizeof *state);
    while (take(m, scratch, child, cell))
        if (propagate(m, child)) {
            const uint32_t left = still_open(m, child);
            sum += (uint64_t)(step + left % step) << left / step;
        }
    return sum;
}

/* The cell with two or three digits left whose split costs least; or else what `chosen` does. */
static uint32_t look_ahead(const tree_maker *m, const tree_row *state, tree_row *scratch)
{
    const uint32_t step = still_open(m, state) / 24 + 16;
    uint64_t least = UINT64_MAX;
    uint32_t best = 0;
    for (uint32_t cell = 0; cell < m->formula->cells; cell++) {
        const uint32_t left = left_of(m, state, cell);
        const uint64_t sum = left == 2 || left == 3 ? cost(m, state, scratch, cell, step) : UINT64_MAX;
        if (sum < least) least = sum, best = cell;
    }
    return least < UINT64_MAX ? best : chosen(m, state, scratch);
}

static int write_clause(tree_proof *proof, uint32_t clause)
{
    do {
        if (proof->length == proof->room) return 0;
        proof->tree[proof->length++] = (uint8_t)(clause > 127 ? clause % 128 + 128 : clause);
        clause /= 128;
    } while (clause);
    return 1;
}

/* Solutions in ascending order, another one behind them. */
static void insert(const tree_formula *f, tree_proof *proof)
{
    uint8_t *place = proof->solutions, *const last = place + proof->count++ * f->cells;
    uint8_t held[TREE_CELLS];
    while (place < last && memcmp(place, last, f->cells) < 0) place += f->cells;
    if (place == last) return;
    memcpy(held, last, f->cells);
    memmove(place + f->cells, place, (size_t)(last - place));
    memcpy(place, held, f->cells);
}

/* What the search ends with if it is broken off. */
static tree_outcome without_tree(tree_proof *proof, tree_outcome outcome)
{
    if (outcome != TREE_MORE) proof->count = 0;
    proof->length = 0;
    return outcome;
}

/* The solutions of a puzzle, at most so many, and the tree that shows that there are no others.
 * holds: whether the first state of the stack does. */
static tree_outcome search(const tree_maker *m, tree_row *stack, int holds, tree_proof *proof)
{
    const uint32_t cells = m->formula->cells;
    const size_t rows = state_rows(m);
    tree_row *const scratch = stack + rows * (cells + 1);
    uint32_t split[TREE_CELLS];
    proof->count = proof->length = 0;
    for (uint32_t depth = 0;;) {
        tree_row *const state = stack + depth * rows;
        uint8_t *const solution = proof->solutions + proof->count * cells;
        if (holds && propagate(m, state)) {
            if (solved(m, state, solution)) {
                insert(m->formula, proof);
                if (proof->count > proof->most) return without_tree(proof, TREE_MORE);
            } else {
                if (depth == cells) return without_tree(proof, TREE_NO_ROOM);
                split[depth] = proof->is_short ? look_ahead(m, state, scratch)
                                               : chosen(m, state, scratch);
                if (!write_clause(proof, split[depth++]))
                    return without_tree(proof, TREE_NO_ROOM);
            }
        }
        while (depth && !take(m, stack + (depth - 1) * rows, stack + depth * rows,
                              split[depth - 1]))
            depth--;
        if (!depth) return TREE_MADE;
        holds = 1;
    }
}

/* What is claimed; 0 if there is no tree. */
static uint8_t claim_of(tree_outcome outcome, size_t count, int every)
{
    if (outcome == TREE_NO_ROOM) return 0;
    if (outcome == TREE_MORE) return 'm';
    return every || count > 1 ? 'a' : count ? 'u' : 'n';
}

/* Puzzles of planes that are begun together. */
typedef struct {
#if HAS_VECTORS
    pass lanes;
    planes_state states[LANES];
#endif
    size_t next, count;
} queue;

/* The first state of the next puzzle; 0 if it cannot be. More puzzles follow it, so many with it. */
static int begin(const tree_maker *m, queue *q, tree_row *state, const uint8_t *puzzles, size_t count)
{
#if HAS_VECTORS
    if (m->planes) {
        if (q->next == q->count) {
            q->next = 0, q->count = count < LANES ? count : LANES;
            for (size_t i = 0; i < q->count; i++)
                planes_begin(m->planes, q->states + i, puzzles + i * CELLS);
            if (m->planes->is_plain && q->count >= LANES / 4)
                lanes_propagate(m->planes, &q->lanes, q->states, q->count);
        }
        *of(state) = q->states[q->next++];
        return 1;
    }
#endif
    (void)q, (void)count;
    return tree_begin(m->formula, state, puzzles);
}

enum { QUEUED = sizeof(queue) / sizeof(tree_row) + 1 };

/* Of the queue, of the stack, and of what looks ahead. */
static size_t rows_needed(const tree_maker *m)
{
    return QUEUED + (m->formula->cells + 3) * state_rows(m) + m->formula->blocks;
}

static void make(const tree_maker *m, tree_row *memory, const uint8_t *puzzles, tree_harvest *h)
{
    const uint32_t cells = m->formula->cells;
    queue *const q = (queue *)(void *)memory;
    tree_row *const stack = memory + QUEUED;
    q->next = q->count = 0;
    for (; h->done < h->rows; h->done++) {
        tree_proof proof = {.solutions = h->solutions + h->solved * cells,
                            .most = h->most,
                            .tree = h->trees + h->written,
                            .room = h->room,
                            .is_short = h->is_short};
        if (h->solutions_size - h->solved <= h->most || h->trees_size - h->written < h->room)
            return;
        const int holds = begin(m, q, stack, puzzles + h->done * cells, h->rows - h->done);
        const tree_outcome outcome = search(m, stack, holds, &proof);
        h->claims[h->done] = claim_of(outcome, proof.count, h->every);
        h->solved += h->counts[h->done] = (uint32_t)proof.count;
        h->written += h->lengths[h->done] = (uint32_t)proof.length;
    }
}
