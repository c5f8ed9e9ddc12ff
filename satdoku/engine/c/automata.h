/* Automata: the digits of some cells, read one after another, lead from the first state to the last.
 *
 * Invariant: between two cells every state has one vector. On the way there it says that the cells
 * before may lead to the state; on the way back, that the cells behind may lead on from it to the
 * end. What is left of a digit are the lanes in which one of its ways leads from a state of the
 * first kind to one of the second. Nothing is kept from one sweep to the next.
 *
 * Source: G. Pesant, A Regular Language Membership Constraint for Finite Sequences of Variables,
 * CP 2004; here all lanes at once. */

/* Where a[i] & b[j] for one of the pairs (i, j) from `pair` to `end`. */
INLINE V any_way(const V *a, const V *b, const int32_t *pair, const int32_t *end)
{
    V any = {0};
    for (; pair < end; pair += 2) any = add_both(any, a[pair[0]], b[pair[1]]);
    return any;
}

/* count: the states behind each cell, at last one. way: offsets into plan->ways.member of the ways
 * in the order in which they are gone here; in their pairs a digit is the offset of its candidates,
 * digit * cells. */
static void pass_automaton(Generic *s, const int32_t *cell, const int32_t *count, int cells,
                           const int32_t *way)
{
    int n = s->plan->digits, board = s->plan->cells;
    const int32_t *pair = s->plan->ways.member, first = way[0];
    V *before = s->states, *after = before;
    before[0] = ~(V){0};
    for (int i = 0; i < cells; i++, before = after) {
        after += i ? count[i - 1] : 1;
        for (int k = 0; k < count[i]; k++, way++)
            after[k] = any_way(before, s->alive + cell[i], pair + way[0], pair + way[1]);
    }
    blame_candidates(s, cell, cells, ~after[0]);
    for (int i = cells - 1; i >= 0; i--, after = before) {
        before -= i ? count[i - 1] : 1;
        for (int d = 0; d < n; d++, way++)
            strike(s, board * d + cell[i], ~any_way(before, after, pair + way[0], pair + way[1]));
        for (int k = 0; i && k < count[i - 1]; k++, way++)
            before[k] = any_way(s->alive + cell[i], after, pair + way[0], pair + way[1]);
    }
    add_work(s, PER_WAY, way[0] - first);
}

/* The vectors that the largest automaton needs. */
static size_t most_states(const satdoku_plan *plan)
{
    size_t most = 1;
    for (int k = 0; k < plan->machines.lists; k++) {
        size_t states = 1;
        for (int i = plan->machines.start[k] + 1; i < plan->machines.start[k + 1]; i++)
            states += (size_t)plan->machines.member[i];
        most = states > most ? states : most;
    }
    return most;
}
