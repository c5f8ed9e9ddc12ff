/* The path for any groups, forbidden pairs and overlaps. For classic 9x9 it is the oracle of the tuned
 * path.
 *
 * Invariant: besides the vector "may still be true" every candidate has a vector "is true". A pass
 * over the groups makes the last candidate of a group true and strikes what a true candidate
 * excludes; passes over the pairs and the overlaps strike too. A lane that a sweep does not change
 * is at the fixpoint. */

/* What steps take, in 0.1 ns of a Zen 4, in narrow vectors as in wide ones: for each candidate a sweep of the board,
 * and a round of a team; a node; and for each number of a list that is passed. Fitted to 330 published puzzles, of
 * which 96 % take what is counted within 1.5 times. */
enum {
    PER_CANDIDATE = 15, PER_ROUND = 270, PER_NODE = 680, PER_PAIR = 7, PER_OVERLAP = 48, PER_RELATION = 70,
    PER_CLAUSE = 51, PER_CAGED = 1400, PER_SUMMED = 650, PER_BOUND = 1400, PER_WAY = 5,
    PER_RANKED = 1000 /* ten times what it takes: where ranks tell little, sessions learn */
};

typedef struct {
    const satdoku_plan *plan;
    V *alive, *truth;
    V *states; /* of an automaton or a sum, while it is passed */
    V changed, conflict, open;
    int first_group;      /* those before it another part sees to: the cells' groups, or all */
    int overlaps;         /* lists that a sweep passes: all, or none if another part sees to them */
    uint32_t *weight; /* of each group, then of each shape: conflicts found there; NULL: not wanted */
    int64_t clock;            /* counts on whenever what changes is to be told from what did */
    int64_t when[MAX_CELLS];  /* a cell changed last */
    int64_t *passed;          /* when each cage, sum and automaton was; NULL: all are in each sweep */
    uint64_t work;            /* of lists passed since somebody took it */
} Generic;

/* In narrow vectors a clue whose cells did not change waits. In wide ones some lane nearly always
 * changed them. */
INLINE int tracks(const Generic *s) { return LANES == 128 && s->passed; }

INLINE void add_work(Generic *s, int each, int64_t numbers) { s->work += (uint64_t)(each * numbers); }

/* The cell lost candidates in the lanes of `gone`. */
INLINE void touch(Generic *s, int cell, V gone)
{
    if (tracks(s) && any_lane(gone & ~s->conflict)) s->when[cell] = s->clock;
}

static void touch_all(Generic *s)
{
    s->clock++;
    for (int i = 0; tracks(s) && i < MAX_CELLS; i++) s->when[i] = s->clock;
}

/* The cells that a sweep of the board changed. */
static void touch_swept(Generic *s, const V *before)
{
    int n = s->plan->digits, cells = s->plan->cells;
    for (int cell = 0; cell < cells; cell++) {
        V gone = {0};
        for (int i = cell; i < n * cells; i += cells) gone |= before[i] ^ s->alive[i];
        touch(s, cell, gone);
    }
}

INLINE void strike(Generic *s, int candidate, V out)
{
    V x = s->alive[candidate], gone = x & out;
    s->changed |= gone;
    s->alive[candidate] = x & ~out;
    if (tracks(s)) touch(s, candidate % s->plan->cells, gone);
}

/* The lanes of `clash` break the group of that number. */
INLINE void blame(Generic *s, int number, V clash)
{
    V fresh = clash & ~s->conflict;
    s->conflict |= clash;
    if (s->weight && any_lane(fresh)) s->weight[number] += (uint32_t)count_lanes(fresh);
}

/* The lanes of `clash` break what is said of these candidates. Their cells take the blame; the groups
 * of the cells come first in a plan. */
static void blame_candidates(Generic *s, const int32_t *member, int size, V clash)
{
    V fresh = clash & ~s->conflict;
    int cells = s->plan->cells;
    s->conflict |= clash;
    if (!s->weight || !any_lane(fresh) || s->plan->groups.lists < cells) return;
    for (int i = 0; i < size; i++) s->weight[member[i] % cells] += (uint32_t)count_lanes(fresh);
}

/* A candidate is true in these lanes: nothing else is in its cell. */
static void decide(Generic *s, int candidate, V in)
{
    int cells = s->plan->cells;
    if (!any_lane(minus_any(in, s->truth[candidate], s->conflict))) return;
    for (int i = candidate % cells; i < cells * s->plan->digits; i += cells)
        if (i != candidate) strike(s, i, in);
}

static void pass_group(Generic *s, int number)
{
    const satdoku_lists *groups = &s->plan->groups;
    const int32_t *member = groups->member + groups->start[number];
    int size = groups->start[number + 1] - groups->start[number];
    V one = {0}, two = {0}, truth = {0}, truths = {0};
    for (int i = 0; i < size; i++) {
        V x = s->alive[member[i]];
        two = add_both(two, one, x);
        one |= x;
    }
    for (int i = 0; i < size; i++) {
        V t = s->truth[member[i]], last = minus_any(s->alive[member[i]], two, t);
        if (s->plan->classic) decide(s, member[i], last);
        s->changed |= last;
        s->truth[member[i]] = t |= last;
        truths = add_both(truths, truth, t);
        truth |= t;
    }
    for (int i = 0; i < size; i++)
        strike(s, member[i], truths | (truth & ~s->truth[member[i]]));
    blame(s, number, truths | ~one);
    s->open |= two;
}

/* A true candidate that is struck leaves its group empty, and the pass over the groups finds that. */

static void pass_pairs(Generic *s)
{
    const satdoku_lists *pairs = &s->plan->pairs;
    add_work(s, PER_PAIR, pairs->members);
    for (int i = 0; i < pairs->lists; i++) {
        const int32_t *k = pairs->member + pairs->start[i], *end = pairs->member + pairs->start[i + 1];
        V excluded = {0};
        if (k == end) continue;
        for (; k + 1 < end; k += 2) excluded = or3(excluded, s->truth[k[0]], s->truth[k[1]]);
        if (k < end) excluded |= s->truth[*k];
        strike(s, i, excluded);
    }
}

/* Whether the groups of the cells come first. */
static int begins_with_cells(const satdoku_plan *plan)
{
    int n = plan->digits, cells = plan->cells;
    if (plan->groups.lists < cells) return 0;
    for (int g = 0; g < cells; g++) {
        const int32_t *start = plan->groups.start + g, *member = plan->groups.member + start[0];
        if (start[1] - start[0] != n || member[0] >= cells) return 0;
        for (int k = 1; k < n; k++)
            if (member[k] != member[0] + cells * k) return 0;
    }
    return 1;
}

/* A sweep of the board left two candidates or more in the cells of `two`; the last one of a cell is
 * true. (What is found to be true otherwise is by then the last one of its cell.) */
static void take_decided(Generic *s, const V *two)
{
    int cells = s->plan->cells;
    for (int i = 0; i < cells * s->plan->digits; i += cells)
        for (int k = 0; k < cells; k++) s->truth[i + k] = s->alive[i + k] & ~two[k];
}

/* Two groups A and B share candidates. If A has none left outside B, its true candidate is shared, so
 * B has none outside A; and the other way round. */
static void pass_overlaps(Generic *s)
{
    const int32_t *member = s->plan->overlaps.member;
    if (s->overlaps) add_work(s, PER_OVERLAP, s->plan->overlaps.members);
    for (int k = 0; k < s->overlaps; k += 2) {
        const int32_t *start = s->plan->overlaps.start + k;
        V only_a = {0}, only_b = {0};
        for (int i = start[0]; i < start[1]; i++) only_a |= s->alive[member[i]];
        for (int i = start[1]; i < start[2]; i++) only_b |= s->alive[member[i]];
        for (int i = start[0]; i < start[1]; i++) strike(s, member[i], ~only_b);
        for (int i = start[1]; i < start[2]; i++) strike(s, member[i], ~only_a);
    }
}

static void sweep_generic(Generic *s)
{
    s->changed = s->open = (V){0};
    pass_overlaps(s);
    pass_pairs(s);
    for (int g = s->first_group; g < s->plan->groups.lists; g++) pass_group(s, g);
}

/* Branching picks the first of the groups with the fewest candidates left, at least two; five and
 * more count alike. The first candidate of the group is true, or it is not. */
INLINE void classify(const Generic *s, const int32_t *member, int size, V *exactly)
{
    V n[CLASSES + 1] = {{0}};
    for (int i = 0; i < size; i++) {
        V x = s->alive[member[i]];
        for (int k = CLASSES; k > 0; k--) n[k] = add_both(n[k], n[k - 1], x);
        n[0] |= x;
    }
    for (int k = 0; k < CLASSES - 1; k++) exactly[k] = n[k + 1] & ~n[k + 2];
    exactly[CLASSES - 1] = n[CLASSES];
}

/* In the lanes of `here` the first candidate of the group is true; in the second half it is not. */
static void branch_group(Generic *s, V *second, const int32_t *member, int size, V here)
{
    V left = here;
    if (!any_lane(here)) return;
    for (int i = 0; i < size; i++) {
        V x = s->alive[member[i]], first = left & x;
        s->alive[member[i]] = x & (left | ~here);
        second[member[i]] &= ~first;
        left &= ~first;
    }
}

/* As branch_classic in classic.h. Most lanes have a group with two candidates, and one pass over the
 * groups, or less, is enough for them. */
static void branch_generic(Generic *s, V *second, V stuck)
{
    const satdoku_plan *p = s->plan;
    size_t variables = (size_t)p->cells * (size_t)p->digits;
    V any[CLASSES] = {~(V){0}}, exactly[CLASSES];
    memcpy(second, s->alive, variables * sizeof(V));
    for (int pass = 0; pass < 2; pass++, any[0] = (V){0})
        for (int g = 0; g < p->groups.lists && any_lane(stuck); g++) {
            int first = p->groups.start[g], size = p->groups.start[g + 1] - first;
            V here = {0};
            classify(s, p->groups.member + first, size, exactly);
            for (int k = pass ? CLASSES - 1 : 0; k >= 0; k--) here = choose(any[k], exactly[k], here);
            for (int k = 1; k < CLASSES && !pass; k++) any[k] |= exactly[k];
            here &= stuck;
            branch_group(s, second, p->groups.member + first, size, here);
            stuck &= ~here;
        }
}
