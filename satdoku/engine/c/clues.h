/* What clues say of several cells: relations, clauses and sets of digits; cages.h, sums.h, bounds.h,
 * automata.h and ranks.h have the rest.
 *
 * Invariant: as in generic.h a pass strikes candidates, and never takes anything back. In a lane that
 * no pass changes every clue is as unit propagation leaves the formula that states it, or less is
 * left; so if all cells are decided there, every clue is kept. */

/* A digit of the cell needs one of those that go with it in the other. If only one does not go with
 * it, that must not be true there: as the pair says, which unit propagation does not see through. */
static void relate(Generic *s, const int32_t *table, int cell, int other)
{
    int n = s->plan->digits, cells = s->plan->cells;
    V gone = {0};
    for (int d = 0; d < n; d++) {
        int allowed = table[d], banned = ~allowed & ((1 << n) - 1);
        if (!banned) continue;
        V support = {0};
        if (!(banned & (banned - 1))) support = ~s->truth[cells * __builtin_ctz((unsigned)banned) + other];
        else
            for (; allowed; allowed &= allowed - 1)
                support |= s->alive[cells * __builtin_ctz((unsigned)allowed) + other];
        V *alive = s->alive + cells * d + cell, x = *alive;
        gone = add_minus(gone, x, support);
        *alive = x & support;
    }
    s->changed |= gone;
    touch(s, cell, gone);
}

static void pass_relations(Generic *s)
{
    const satdoku_plan *p = s->plan;
    add_work(s, PER_RELATION, p->relations.members);
    for (int k = 0; k < p->relations.lists; k++) {
        const int32_t *related = p->relations.member + 3 * k;
        const int32_t *table = p->tables.member + 2 * p->digits * related[0];
        relate(s, table, related[1], related[2]);
        relate(s, table + p->digits, related[2], related[1]);
    }
}

/* Where `due`, one of the candidates holds, and the last one that is left is true. Returns where
 * none is left. */
static V one_of(Generic *s, const int32_t *member, int size, V due)
{
    V one = {0}, two = {0};
    for (int i = 0; i < size; i++) {
        V x = s->alive[member[i]];
        two = add_both(two, one, x);
        one |= x;
    }
    for (int i = 0; i < size; i++)
        decide(s, member[i], both_minus(due, s->alive[member[i]], two));
    return ~one;
}

/* Lists 2k and 2k + 1: if the one candidate of the first is true, or if there is none, then one of
 * the second holds. */
static void pass_clauses(Generic *s)
{
    const int32_t *member = s->plan->clauses.member;
    add_work(s, PER_CLAUSE, s->plan->clauses.members);
    for (int k = 0; k < s->plan->clauses.lists; k += 2) {
        const int32_t *start = s->plan->clauses.start + k;
        int given = start[0] < start[1];
        V due = given ? s->truth[member[start[0]]] : ~(V){0};
        V none = one_of(s, member + start[1], start[2] - start[1], due);
        if (given) strike(s, member[start[0]], none);
        blame_candidates(s, member + start[0], start[2] - start[0], none & due);
    }
}

INLINE int has_clues(const satdoku_plan *p)
{
    return p->relations.lists || p->clauses.lists || p->cages.lists || p->sums.lists
           || p->bounds.lists || p->automata.lists || p->ranks.lists;
}

/* The first group that a sweep passes; another part sees to the ones before it. */
static int first_passed(const satdoku_plan *plan, int boxed)
{
    if (boxed) return plan->groups.lists;
    return plan->classic && begins_with_cells(plan) ? CELLS9 : 0;
}

/* The cells hold the digits of one of the sets. A set is out if no cell may hold one of its digits,
 * or one holds another digit for sure. A digit of no set is struck; one of all sets is in a cell. */
static void pass_sets(Generic *s, const int32_t *cell, int cells, const int32_t *set, int sets,
                      const int32_t *rest, const int32_t *end)
{
    int n = s->plan->digits, board = s->plan->cells;
    V may[SATDOKU_MAX_DIGITS] = {{0}}, sure[SATDOKU_MAX_DIGITS] = {{0}};
    V with[SATDOKU_MAX_DIGITS] = {{0}}, without[SATDOKU_MAX_DIGITS] = {{0}}, any = {0};
    int32_t member[MAX_CELLS];
    for (int d = 0; d < n; d++)
        for (int i = 0; i < cells; i++) {
            may[d] |= s->alive[board * d + cell[i]];
            sure[d] |= s->truth[board * d + cell[i]];
        }
    for (int k = 0; k < sets; k++) {
        V in = ~(V){0};
        for (int d = 0; d < n; d++) in &= set[k] >> d & 1 ? may[d] : ~sure[d];
        for (int d = 0; d < n; d++) *(set[k] >> d & 1 ? with + d : without + d) |= in;
        any |= in;
    }
    blame_candidates(s, cell, cells, ~any);
    for (int d = 0; d < n; d++) {
        for (int i = 0; i < cells; i++) strike(s, member[i] = board * d + cell[i], ~with[d]);
        one_of(s, member, cells, ~without[d]);
    }
    strike_rest(s, rest, end, without);
}

/* Whether all sets have so many digits. */
INLINE int are_of_size(const int32_t *set, int sets, int size)
{
    for (int k = 0; k < sets; k++)
        if (__builtin_popcount((unsigned)set[k]) != size) return 0;
    return 1;
}

/* Whether a cell of the clue changed since its last pass. A pass that begins has a time of its own. */
INLINE int is_due(Generic *s, int number, const int32_t *cell, int cells)
{
    s->clock++;
    for (int i = 0; i < cells; i++)
        if (!tracks(s) || s->when[cell[i]] > s->passed[number]) return 1;
    return 0;
}

/* The clue has nothing to add to what its own pass left. */
INLINE void end_pass(Generic *s, int number)
{
    if (tracks(s)) s->passed[number] = s->clock;
}

static void pass_cages(Generic *s)
{
    const satdoku_plan *p = s->plan;
    for (int k = 0; k < p->cages.lists; k++) {
        const int32_t *cage = p->cages.member + p->cages.start[k];
        const int32_t *start = p->sets.start + cage[0], *set = p->sets.member + start[0];
        int cells = p->cages.start[k + 1] - p->cages.start[k] - 1, sets = start[1] - start[0];
        const int32_t *rest = p->rests.member, *end = rest;
        if (p->rests.lists) end = rest + p->rests.start[k + 1], rest += p->rests.start[k];
        int small = p->rests.lists && p->digits == 9 && cells > 1 && cells <= MOST_CAGED
                    && are_of_size(set, sets, cells);
        if (!is_due(s, k, cage + 1, cells)) continue;
        add_work(s, PER_CAGED, 1 + cells);
        (small ? pass_cage : pass_sets)(s, cage + 1, cells, set, sets, rest, end);
        if (small) end_pass(s, k);
    }
}

/* Whether one of the cells of a sum changed since its last pass. */
static int is_sum_due(Generic *s, int number, const int32_t *list, const int32_t *end)
{
    for (const int32_t *at = list + 1; at < end; at += 3 + at[2])
        if (is_due(s, number, at + 3, at[2])) return 1;
    return 0;
}

static void pass_sums(Generic *s)
{
    const satdoku_lists *sums = &s->plan->sums;
    for (int k = 0; k < sums->lists; k++) {
        const int32_t *list = sums->member + sums->start[k], *end = sums->member + sums->start[k + 1];
        int number = s->plan->cages.lists + k;
        if (!is_sum_due(s, number, list, end)) continue;
        add_work(s, PER_SUMMED, end - list);
        pass_sum(s, list, end);
        end_pass(s, number);
    }
}

/* Both passes of a bound, to the highest digits and to the lowest, may leave each other something. */
static void pass_bounds(Generic *s)
{
    const satdoku_lists *bounds = &s->plan->bounds;
    for (int k = 0; k < bounds->lists; k++) {
        const int32_t *list = bounds->member + bounds->start[k];
        const int32_t *end = bounds->member + bounds->start[k + 1];
        add_work(s, PER_BOUND, end - list);
        for (int mirrored = 0; mirrored < 2; mirrored++) pass_bound(s, list, end, mirrored);
    }
}

/* An automaton may read a cell twice, so that its own pass may leave it something to add. */
static void pass_automata(Generic *s)
{
    const satdoku_plan *p = s->plan;
    for (int k = 0; k < p->automata.lists; k++) {
        const int32_t *reader = p->automata.member + p->automata.start[k];
        const int32_t *machine = p->machines.member + p->machines.start[reader[0]];
        int cells = p->automata.start[k + 1] - p->automata.start[k] - 1;
        int number = p->cages.lists + p->sums.lists + k;
        if (!is_due(s, number, reader + 1, cells)) continue;
        end_pass(s, number);
        s->clock++;
        pass_automaton(s, reader + 1, machine + 1, cells, p->ways.start + machine[0]);
    }
}

static void pass_ranks(Generic *s)
{
    const satdoku_lists *ranks = &s->plan->ranks;
    add_work(s, PER_RANKED, ranks->members);
    for (int k = 0; k < ranks->lists; k++) pass_rank(s, ranks->member + ranks->start[k]);
}

/* The times of passes; NULL if clues are not tracked, or if memory ran out. */
static int64_t *open_passes(const satdoku_plan *p)
{
    int clues = p->cages.lists + p->sums.lists + p->automata.lists;
    return LANES == 128 && clues ? calloc((size_t)clues, sizeof(int64_t)) : NULL;
}

static void pass_clues(Generic *s)
{
    pass_relations(s);
    pass_clauses(s);
    pass_cages(s);
    pass_sums(s);
    pass_bounds(s);
    pass_automata(s);
    pass_ranks(s);
}
