/* The tables of a formula: where the literals of each variable stand, and what a variable changes
 * when it becomes true. */
#include <stdlib.h>
#include <string.h>

#include "tree.h"

static const uint32_t MAX_ROWS = 1 << 17;

void tree_free(tree_formula *f)
{
    if (!f) return;
    free(f->base), free(f->start), free(f->literal), free(f->first), free(f->where);
    free(f->change), free(f->seen), free(f->place), free(f->all), free(f);
}

/* Clauses and their literals; 0 if one names no variable. */
static int read_clauses(tree_formula *f, const uint32_t *clauses, size_t length)
{
    size_t literals = 0;
    for (size_t at = 0; at < length; at += 1 + clauses[at], f->clauses++) {
        if (clauses[at] >= length - at) return 0;
        for (size_t k = 1; k <= clauses[at]; k++)
            if (clauses[at + k] >= f->variables) return 0;
    }
    f->start = calloc(f->clauses + 1, sizeof *f->start);
    f->literal = calloc(length + 1, sizeof *f->literal);
    if (!f->start || !f->literal) return 0;
    for (size_t at = 0, clause = 0; at < length; at += 1 + clauses[at], clause++) {
        memcpy(f->literal + literals, clauses + at + 1, clauses[at] * sizeof *clauses);
        literals += clauses[at];
        f->start[clause + 1] = (uint32_t)literals;
    }
    return 1;
}

/* Clause c is about cell c. */
static int names_cells(const tree_formula *f)
{
    if (!f->cells || f->cells > TREE_CELLS || f->clauses < f->cells ||
        !f->digits || f->digits > 255 || f->variables / f->digits < f->cells)
        return 0;
    for (uint32_t cell = 0; cell < f->cells; cell++)
        for (uint32_t at = f->start[cell]; at < f->start[cell + 1]; at++)
            if (f->literal[at] / f->digits != cell) return 0;
    return 1;
}

static int place_rows(tree_formula *f)
{
    f->blocks = (f->clauses + TREE_BLOCK - 1) / TREE_BLOCK;
    f->base = calloc(f->blocks + 1, sizeof *f->base);
    if (!f->base) return 0;
    for (uint32_t block = 0; block < f->blocks; block++) {
        uint32_t longest = 2; /* so that places without a clause are never units */
        for (uint32_t c = block * TREE_BLOCK; c < f->clauses && c < (block + 1) * TREE_BLOCK; c++)
            if (f->start[c + 1] - f->start[c] > longest) longest = f->start[c + 1] - f->start[c];
        f->base[block + 1] = f->base[block] + longest + 1;
        if (f->base[block + 1] > MAX_ROWS) return 0;
    }
    f->rows = f->base[f->blocks];
    return 1;
}

static int place_literals(tree_formula *f)
{
    f->seen = calloc((size_t)f->variables + 2, sizeof *f->seen);
    f->place = calloc(2 * (size_t)f->start[f->clauses] + 1, sizeof *f->place);
    if (!f->seen || !f->place) return 0;
    for (uint32_t at = 0; at < f->start[f->clauses]; at++) f->seen[f->literal[at] + 2]++;
    for (uint32_t v = 0; v < f->variables; v++) {
        if (!f->seen[v + 2]) return 0; /* a variable in no clause could never be seen to be false */
        f->seen[v + 2] += f->seen[v + 1];
    }
    for (uint32_t clause = 0; clause < f->clauses; clause++)
        for (uint32_t at = f->start[clause]; at < f->start[clause + 1]; at++) {
            uint32_t *place = f->place + 2 * (size_t)f->seen[f->literal[at] + 1]++;
            place[0] = clause;
            place[1] = at - f->start[clause];
        }
    return 1;
}

static void set(tree_row *row, uint32_t clause)
{
    row->word[clause % TREE_BLOCK / 64] |= (uint64_t)1 << clause % 64;
}

static int begin_state(tree_formula *f)
{
    f->all = calloc(f->rows, sizeof *f->all);
    if (!f->all) return 0;
    for (uint32_t clause = 0; clause < f->blocks * TREE_BLOCK; clause++) {
        const uint32_t *base = f->base + clause / TREE_BLOCK;
        const uint32_t length = clause < f->clauses ? f->start[clause + 1] - f->start[clause] : 2;
        for (uint32_t place = 0; place < length; place++) set(f->all + base[0] + place, clause);
        if (clause < f->clauses) set(f->all + base[1] - 1, clause);
    }
    return 1;
}

/* What a variable changes, as a state: literals that become false, and clauses that have a true
 * one. */
static void gather(const tree_formula *f, tree_row *sum, uint32_t variable, const uint32_t *others,
                   const uint32_t *end)
{
    for (; others < end; others++)
        for (uint32_t at = f->seen[*others]; at < f->seen[*others + 1]; at++)
            set(sum + f->base[f->place[2 * at] / TREE_BLOCK] + f->place[2 * at + 1],
                f->place[2 * at]);
    for (uint32_t at = f->seen[variable]; at < f->seen[variable + 1]; at++)
        set(sum + f->base[f->place[2 * at] / TREE_BLOCK + 1] - 1, f->place[2 * at]);
}

static int is_zero(const tree_row *row)
{
    uint64_t any = 0;
    for (int i = 0; i < TREE_WORDS; i++) any |= row->word[i];
    return !any;
}

static int list_changes(tree_formula *f, const uint32_t *begin, const uint32_t *others,
                        tree_row *sum)
{
    size_t entries = 0, room = 0;
    for (uint32_t v = 0; v < f->variables; v++) {
        memset(sum, 0, f->rows * sizeof *sum);
        gather(f, sum, v, others + begin[v], others + begin[v + 1]);
        if (entries + f->rows > room) {
            room = 2 * room + f->rows;
            tree_row *change = realloc(f->change, room * sizeof *change);
            if (change) f->change = change;
            uint32_t *where = realloc(f->where, room * sizeof *where);
            if (where) f->where = where;
            if (!change || !where || room > UINT32_MAX) return 0;
        }
        for (uint32_t row = 0; row < f->rows; row++)
            if (!is_zero(sum + row)) {
                f->where[entries] = row;
                f->change[entries++] = sum[row];
            }
        f->first[v + 1] = (uint32_t)entries;
    }
    return 1;
}

/* The partners of each variable, from the pairs; then what each changes. */
static int pair_up(tree_formula *f, const uint32_t *pairs, size_t length)
{
    uint32_t *begin = calloc((size_t)f->variables + 2, sizeof *begin);
    uint32_t *others = calloc(length + 1, sizeof *others);
    tree_row *sum = calloc(f->rows, sizeof *sum);
    f->first = calloc((size_t)f->variables + 1, sizeof *f->first);
    int done = begin && others && sum && f->first;
    for (size_t at = 0; done && at < length; at++) {
        done = pairs[at] < f->variables;
        if (done) begin[pairs[at] + 2]++;
    }
    for (uint32_t v = 0; done && v < f->variables; v++) begin[v + 2] += begin[v + 1];
    for (size_t at = 0; done && at < length; at++) others[begin[pairs[at] + 1]++] = pairs[at ^ 1];
    done = done && list_changes(f, begin, others, sum);
    for (size_t at = 0; done && at < length; at += 2)
        if (pairs[at] == pairs[at + 1]) tree_deny(f, f->all, pairs[at]);
    free(begin), free(others), free(sum);
    return done;
}

tree_formula *tree_load(uint32_t variables, uint32_t cells, uint32_t digits,
                        const uint32_t *clauses, size_t clauses_length, const uint32_t *pairs,
                        size_t pairs_length)
{
    tree_formula *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->variables = variables, f->cells = cells, f->digits = digits;
    if (pairs_length % 2 || !read_clauses(f, clauses, clauses_length) || !names_cells(f) ||
        !place_rows(f) || !place_literals(f) || !begin_state(f) ||
        !pair_up(f, pairs, pairs_length)) {
        tree_free(f);
        return NULL;
    }
    return f;
}
