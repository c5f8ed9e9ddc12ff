/* What helps a dynamic run on: intersections, pairs and X-wings, then chains within the chain.
 *
 * Invariant: a pattern counts only if it needs candidates that the run has struck; they are the
 * parents of what it strikes. The first rule that finds any such pattern ends a round. What a pattern
 * strikes comes in the order of a small hash table of cells, which the published ratings keep. */
#ifndef SATDOKU_RATINGS_NESTED_H
#define SATDOKU_RATINGS_NESTED_H

#include "forcing.h"
#include "subsets.h"

typedef struct {
    Forcing *f;
    Run *run;
    Queues *queues;
    uint64_t known[SET_WORDS];
    int16_t needed[CANDIDATES]; /* struck candidates that a pattern needs, in order */
    int needs;
    int helped;
} Advance;

static void need(Advance *a, int c)
{
    if (in_set(a->known, c)) return;
    set_in(a->known, c);
    a->needed[a->needs++] = (int16_t)c;
}

static void need_nothing(Advance *a)
{
    memset(a->known, 0, sizeof a->known);
    a->needs = 0;
}

static void need_struck_places(Advance *a, int house, int digit, Places but)
{
    const Forcing *f = a->f;
    EACH_BIT(place, f->source.of_house[house][digit] & ~f->now.left.of_house[house][digit] & ~but)
        need(a, candidate(board.cell[house][place], digit));
}

static void need_struck_digits(Advance *a, int cell)
{
    EACH_BIT(digit, a->f->source.of_cell[cell] & ~a->f->now.left.of_cell[cell])
        need(a, candidate(cell, digit));
}

/* Intersections and fish: the digit's struck places in the base, outside the cover. */
static void need_of_fish(Advance *a, const Step *step)
{
    for (int i = 0; i < step->houses; i += 2) {
        Places covered = 0;
        for (int j = 1; j < step->houses; j += 2) covered |= board.common[step->house[i]][step->house[j]];
        need_struck_places(a, step->house[i], lowest(step->digits), covered);
    }
}

/* Hidden sets: the struck places of the digits outside the set's cells. */
static void need_of_hidden(Advance *a, const Step *step)
{
    int house = step->house[0];
    for (int i = 0; i < 9; i++) {
        int cell = board.cell[house][i];
        if (contains(step->cells, cell)) continue;
        EACH_BIT(digit, step->digits & a->f->source.of_cell[cell]) need(a, candidate(cell, digit));
    }
}

/* Naked sets: the struck other digits of the set's cells. */
static void need_of_naked(Advance *a, const Step *step)
{
    for (int i = 0; i < 9; i++) {
        int cell = board.cell[step->house[0]][i];
        if (contains(step->cells, cell)) need_struck_digits(a, cell);
    }
}

static void strike_by_pattern(Advance *a, int c, int nested)
{
    if (in_set(a->run->set[0], c)) return;
    int number = add_node(a->f, a->run, c, 0, BY_PATTERN, nested);
    for (int i = 0; i < a->needs; i++) add_parent(a->f, number, a->run->at[0][a->needed[i]], a->run);
    enter(a->run, a->queues, c, 0, number);
}

/* What a pattern strikes, cells in the order of a hash table that is at most three quarters full. */
static void use_pattern(Advance *a, const Struck *struck, int n, int nested)
{
    int size = 16;
    if (!a->needs) return;
    while (4 * n > 3 * size) size *= 2;
    for (int slot = 0; slot < size; slot++)
        for (int i = 0; i < n; i++)
            if (struck[i].cell % size == slot)
                EACH_BIT(digit, struck[i].digits)
                    strike_by_pattern(a, candidate(struck[i].cell, digit), nested);
    a->helped = 1;
}

static int take_pattern(void *context, const Step *step)
{
    Advance *a = context;
    Struck struck[CELLS];
    need_nothing(a);
    if (step->technique == HIDDEN_PAIR) need_of_hidden(a, step);
    else if (step->technique == NAKED_PAIR) need_of_naked(a, step);
    else need_of_fish(a, step);
    for (int i = 0; i < step->struck_cells; i++)
        struck[i] = (Struck){step->struck[i], step->struck_digits[i]};
    use_pattern(a, struck, step->struck_cells, -1);
    return 0;
}

/* A chain needs what makes its nodes hold: the struck digits of a cell, or places of a house. */
static void need_of_chain(Advance *a, const Found *found, const Chain *chain)
{
    const ChainNode *node = found->node + chain->first_node;
    need_nothing(a);
    for (int list = 0; list < chain->lists; list++)
        for (int i = 0; i < chain->length[list]; i++, node++) {
            int cause = node->cause == ASSUMED ? chain->origin : node->cause, cell = node->candidate / 9;
            if (!node->holds || cause == ASSUMED) continue;
            if (cause == BY_CELL) need_struck_digits(a, cell);
            else need_struck_places(a, board.house[cell][cause - BY_BOX], node->candidate % 9, 0);
        }
}

static void use_chain(Advance *a, const Found *found, const Chain *chain)
{
    Forcing *f = a->f;
    need_of_chain(a, found, chain);
    if (!a->needs) return;
    if (!GROW(f, nested, 1)) {
        f->failed = 1;
        return;
    }
    f->nested[f->nesteds] = (Nested){chain->identity, chain->nodes};
    use_pattern(a, found->struck + chain->first_struck, chain->struck, f->nesteds++);
}

static int use_chains(Advance *a, Found *found)
{
    sort_found(found);
    for (int i = 0; i < found->chains; i++) use_chain(a, found, &found->chain[i]);
    a->f->failed |= found->failed;
    return a->helped;
}

static int advance_by_patterns(Advance *a)
{
    Step step;
    Search search = {&a->f->now, &step, take_pattern, a};
    intersections(&search);
    if (!a->helped) hidden_sets(&search, 2);
    if (!a->helped) naked_sets(&search, 2);
    if (!a->helped) fish(&search, 2);
    return a->helped;
}

static int advance(Forcing *f, Run *run, Queues *q)
{
    Advance a = {.f = f, .run = run, .queues = q};
    if (advance_by_patterns(&a)) return 1;
    if (f->chains) {
        find_chains(f->chains, &f->now.left, 1);
        if (use_chains(&a, &f->chains->found)) return 1;
    }
    if (f->inner) {
        find_forcing(f->inner, &f->now, 1);
        f->failed |= f->inner->failed;
        if (use_chains(&a, &f->inner->found)) return 1;
    }
    return 0;
}

static void close_forcing(Forcing *f)
{
    if (!f) return;
    close_forcing(f->inner);
    if (f->chains) free_found(&f->chains->found);
    free(f->chains);
    for (int holds = 0; holds < 2; holds++) free(f->run[holds]);
    free(f->node);
    free(f->parent);
    free(f->nested);
    free_found(&f->found);
    free(f);
}

/* Levels: 0 plain, 1 with patterns, 2 with chains, 3 with multiple chains, 4 with dynamic chains of
 * level `nesting`. Returns NULL if memory is short. */
static Forcing *open_forcing(int dynamic, int nishio, int level, int nesting)
{
    Forcing *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->dynamic = dynamic;
    f->nishio = nishio;
    f->level = level;
    int sound = 1;
    for (int i = 0; i < 2; i++) sound &= (f->run[i] = malloc(CANDIDATES * sizeof(Run))) != NULL;
    if (level == 2 || level == 3) sound &= (f->chains = calloc(1, sizeof *f->chains)) != NULL;
    if (level == 3) sound &= (f->inner = open_forcing(0, 0, 0, 0)) != NULL;
    if (level == 4) sound &= (f->inner = open_forcing(1, 0, nesting, 0)) != NULL;
    if (sound) return f;
    close_forcing(f);
    return NULL;
}

static int forcing_step(Forcing *f, const State *s, Step *step)
{
    find_forcing(f, s, 0);
    if (!f->found.chains) return 0;
    step_of_chain(&f->found, &f->found.chain[0], f->level, step);
    return 1;
}

#endif
