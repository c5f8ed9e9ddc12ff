/* Search with few puzzles: all lanes work on nodes of the same ones.
 *
 * Invariant: a lane owns nothing but the node in it. The nodes still to be tried lie in one pool, and
 * a free lane takes the last one. Where there is a narrower body the search begins in it: a sweep
 * costs half as much there, and most puzzles never fill its lanes. The nodes of those that do go on
 * here. A group counts as heavy if it was broken often; the lanes of all
 * puzzles share these weights. A branch splits the group with the fewest candidates for its weight.
 * A restart forgets the nodes of every unfinished puzzle and keeps the weights. It also keeps the
 * solution; one that is found again is the same, digit by digit, and does not count twice. */

typedef struct {
    int32_t group, size;
} Choice; /* groups that have so many candidates left */

typedef struct {
    LaneSearch *search;
    Pool *pool;
    satdoku_lists groups;   /* of the plan, then those of classic that it does not list */
    uint32_t *weight;       /* of each, in the pool */
    uint64_t weighed;       /* all weights when the choices were last put in order */
    int32_t *worth;         /* the logarithms of weights, when the choices were put in order */
    Choice *choice, *draft; /* in the order in which they are preferred */
    int32_t choices;
    V (*size)[SIZE_BITS];   /* of each group, in every lane: candidates left, bit-sliced */
    int64_t *counted;       /* of each group: the clock when they were */
    int16_t cell[LANES];    /* of the candidate on which each lane was split, if clues are tracked */
} Team;

static void close_team(Team *t)
{
    if (t->search) close_search(t->search);
    free((void *)t->groups.start);
    free((void *)t->groups.member);
    free(t->worth);
    free(t->choice);
    free(t->draft);
    FREE_ALIGNED(t->size);
    free(t->counted);
    free(t);
}

/* Append the places of each digit in each row, column and box of 9x9. */
static void add_houses(int32_t *start, int32_t *member)
{
    for (int d = 0; d < 9; d++)
        for (int house = 0; house < 9; house++)
            for (int kind = 0; kind < 3; kind++, start++) {
                start[1] = start[0] + 9;
                for (int k = 0; k < 9; k++) {
                    int box = house / 3 * 27 + house % 3 * 3 + k / 3 * 9 + k % 3;
                    int cell[] = {9 * house + k, 9 * k + house, box};
                    member[start[0] + k] = CELLS9 * d + cell[kind];
                }
            }
}

static int list_groups(Team *t, const satdoku_plan *plan)
{
    const satdoku_lists *listed = &plan->groups;
    int houses = plan->classic ? 3 * CELLS9 : 0;
    int32_t *start = malloc((size_t)(listed->lists + houses + 1) * sizeof *start);
    int32_t *member = malloc((size_t)(listed->members + 9 * houses + 1) * sizeof *member);
    t->groups = (satdoku_lists){listed->lists + houses, listed->members + 9 * houses, start, member};
    if (!start || !member) return 0;
    memcpy(start, listed->start, (size_t)(listed->lists + 1) * sizeof *start);
    memcpy(member, listed->member, (size_t)listed->members * sizeof *member);
    if (houses) add_houses(start + listed->lists, member);
    return 1;
}

INLINE int group_size(const Team *t, int g) { return t->groups.start[g + 1] - t->groups.start[g]; }
INLINE const int32_t *group_members(const Team *t, int g)
{
    return t->groups.member + t->groups.start[g];
}

/* The binary logarithm in sixteenths, roughly: straight between powers of two. */
static int logarithm(uint32_t x)
{
    int whole = 31 - __builtin_clz(x);
    return 16 * whole + (int)((uint64_t)x * 16 >> whole) - 16;
}

/* Of a choice: candidates divided by weight, as a logarithm. sizes: the logarithms of sizes. */
INLINE int cost(const Team *t, const int *sizes, Choice choice)
{
    return sizes[choice.size] + 16 * 32 - t->worth[choice.group];
}

/* Put the choices in order again, if weights grew by half. Equal ones keep the order of groups. */
static void order_choices(Team *t)
{
    int32_t first[COSTS + 1] = {0};
    int sizes[1 << SIZE_BITS] = {0};
    uint64_t total = 0;
    for (int g = 0; g < t->groups.lists; g++) {
        t->weight[g] += !t->weight[g]; /* after 2^32 conflicts */
        total += t->weight[g];
    }
    if (total < t->weighed + t->weighed / 2) return;
    t->weighed = total;
    for (int g = 0; g < t->groups.lists; g++) t->worth[g] = logarithm(t->weight[g]);
    for (int size = 1; size < 1 << SIZE_BITS; size++) sizes[size] = logarithm((uint32_t)size);
    for (int i = 0; i < t->choices; i++) first[cost(t, sizes, t->choice[i]) + 1]++;
    for (int c = 0; c < COSTS; c++) first[c + 1] += first[c];
    memcpy(t->draft, t->choice, (size_t)t->choices * sizeof *t->choice);
    for (int i = 0; i < t->choices; i++) t->choice[first[cost(t, sizes, t->draft[i])]++] = t->draft[i];
}

static void list_choices(Team *t)
{
    int longest = 0;
    for (int g = 0; g < t->groups.lists; g++)
        if (group_size(t, g) > longest) longest = group_size(t, g);
    for (int size = 2; size <= longest && size < 1 << SIZE_BITS; size++)
        for (int g = 0; g < t->groups.lists; g++)
            if (size <= group_size(t, g)) t->choice[t->choices++] = (Choice){g, size};
}

enum { BOUND_WEIGHT = 4 }; /* half of the nodes of little killers */

/* To begin with, the group of a cell weighs one more for each clue on the cell, and more for a bound.
 * Groups of cells come first in a plan with clues; a clue lists its cells behind a number. */
static void weigh_groups(Team *t, const satdoku_plan *plan)
{
    const satdoku_lists *clues[] = {&plan->relations, &plan->cages, &plan->automata};
    for (int g = 0; g < t->groups.lists; g++) t->weight[g] = 1;
    if (plan->groups.lists < plan->cells) return;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < clues[i]->lists; k++)
            for (int m = clues[i]->start[k] + 1; m < clues[i]->start[k + 1]; m++)
                t->weight[clues[i]->member[m]]++;
    for (int k = 0; k < plan->bounds.lists; k++) {
        const int32_t *at = plan->bounds.member + plan->bounds.start[k] + 1;
        for (; at < plan->bounds.member + plan->bounds.start[k + 1]; at += 3 + at[2])
            for (int m = 0; m < at[2]; m++) t->weight[at[3 + m]] += BOUND_WEIGHT;
    }
}

/* The weights of the pool, or the first ones. Returns 0 if memory ran out. */
static int take_weights(Team *t, const satdoku_plan *plan)
{
    t->weight = t->pool->weight;
    if (t->weight) return 1;
    t->weight = t->pool->weight = malloc((size_t)(t->groups.lists + 1) * sizeof *t->weight);
    if (t->weight) weigh_groups(t, plan);
    return t->weight != NULL;
}

static Team *open_team(const satdoku_plan *plan, Pool *pool)
{
    Team *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->search = open_search(plan, pool->job);
    t->pool = pool;
    if (!t->search || !list_groups(t, plan) || !take_weights(t, plan)) {
        close_team(t);
        return NULL;
    }
    size_t groups = (size_t)t->groups.lists, most = groups << SIZE_BITS;
    t->search->lanes = LANES;
    t->search->busy.vector = (V){0};
    t->search->classic.conflict = ~(V){0};
    t->worth = malloc((groups + 1) * sizeof *t->worth);
    t->choice = malloc((most + 1) * sizeof *t->choice);
    t->draft = malloc((most + 1) * sizeof *t->draft);
    t->size = vectors((groups + 1) * SIZE_BITS);
    t->counted = calloc(groups + 1, sizeof *t->counted);
    if (!t->worth || !t->choice || !t->draft || !t->size || !t->counted) {
        close_team(t);
        return NULL;
    }
    t->search->generic.weight = t->weight;
    list_choices(t);
    return t;
}

/* Take a node that still matters to this lane. */
static int pop_pool(Team *t, int lane)
{
    LaneSearch *s = t->search;
    Pool *p = t->pool;
    while (p->count) {
        int32_t puzzle = p->owner[--p->count];
        if (!closed(s->job, puzzle) && afford(s->job, puzzle)) {
            int cell = p->cell[p->count];
            if (cell < 0) touch_all(&s->generic);
            else s->generic.when[cell] = s->generic.clock;
            load_node(s, lane, pooled_node(p, p->count));
            s->puzzle[lane] = puzzle;
            return 1;
        }
        p->open[puzzle]--;
    }
    return 0;
}

static void fill_lanes(Team *t)
{
    LaneSearch *s = t->search;
    Lanes free = {~s->busy.vector}, load = {{0}};
    int16_t lane[LANES + 1];
    s->generic.clock++;
    for (int i = 0, count = list_lanes(&free, lane); i < count && pop_pool(t, lane[i]); i++)
        add_lane(&load, lane[i]);
    if (any_lane(load.vector)) load_lanes(s, load.vector);
}

/* The lane's node is done with. */
static void leave_lane(Team *t, int lane)
{
    t->pool->open[t->search->puzzle[lane]]--;
    drop_lane(&t->search->busy, lane);
}

static void count_group(Team *t, int g)
{
    const V *alive = t->search->alive;
    const int32_t *member = group_members(t, g);
    V *total = t->size[g];
    int size = group_size(t, g);
    t->counted[g] = t->search->generic.clock;
    if (size == 9) {
        V x[9];
        UNROLL for (int k = 0; k < 9; k++) x[k] = alive[member[k]];
        count_nine(x, total);
        total[DIGIT_BITS] = (V){0};
        return;
    }
    for (int b = 0; b < SIZE_BITS; b++) total[b] = (V){0};
    for (int i = 0; i < size; i += 9) {
        V x[9], sum[DIGIT_BITS], carry = {0};
        UNROLL for (int k = 0; k < 9; k++) x[k] = i + k < size ? alive[member[i + k]] : (V){0};
        count_nine(x, sum);
        for (int b = 0; b < DIGIT_BITS; b++) {
            V digit = parity(total[b], sum[b], carry);
            carry = majority(total[b], sum[b], carry);
            total[b] = digit;
        }
        total[DIGIT_BITS] |= carry;
    }
}

/* These lanes branch on a candidate of this cell. */
static void note_cell(Team *t, int cell, V here)
{
    Lanes lanes = {here};
    int16_t lane[LANES + 1];
    if (!any_lane(here)) return;
    for (int i = 0, count = list_lanes(&lanes, lane); i < count; i++)
        t->cell[lane[i]] = (int16_t)cell;
}

/* In the lanes of `here` the first candidate of the group is true; in the second half it is not. */
static void split_group(Team *t, int g, V here)
{
    V *alive = t->search->alive, *second = t->search->second, left = here;
    const int32_t *member = group_members(t, g);
    for (int i = 0; i < group_size(t, g); i++) {
        V x = alive[member[i]], first = left & x, gone = x & here & ~left;
        int cell = member[i] % t->search->cells;
        alive[member[i]] = x & ~gone;
        second[member[i]] &= ~first;
        left &= ~first;
        touch(&t->search->generic, cell, gone);
        if (tracks(&t->search->generic)) note_cell(t, cell, first);
    }
}

INLINE V has_size(const V *total, int size)
{
    V same = ~(V){0};
    for (int b = 0; b < SIZE_BITS; b++) same &= size >> b & 1 ? total[b] : ~total[b];
    return same;
}

/* Split each lane on the choice that costs least. Returns the lanes that had one. */
static V split_lanes(Team *t, V lanes)
{
    LaneSearch *s = t->search;
    V left = lanes;
    memcpy(s->second, s->alive, (size_t)s->variables * sizeof(V));
    s->generic.clock++;
    for (int i = 0; i < t->choices && any_lane(left); i++) {
        int g = t->choice[i].group;
        if (t->counted[g] != s->generic.clock) count_group(t, g);
        V here = left & has_size(t->size[g], t->choice[i].size);
        if (!any_lane(here)) continue;
        split_group(t, g, here);
        left &= ~here;
    }
    return lanes & ~left;
}

INLINE V any_left(const Team *t, int g)
{
    const int32_t *member = group_members(t, g);
    V any = {0};
    for (int k = 0; k < group_size(t, g); k++) any |= t->search->alive[member[k]];
    return any;
}

/* A sweep that knows boards does not say what it found broken: groups that have no candidate left.
 * Where cages name what they break, a lane with several such groups says too little about each. */
static void blame_empty(Team *t, V fresh)
{
    V several = {0}, any = {0};
    for (int g = 0; g < t->groups.lists; g++) {
        V empty = t->size[g][0] = fresh & ~any_left(t, g);
        several = add_both(several, any, empty);
        any |= empty;
    }
    if (!t->search->plan->cages.lists) several = (V){0};
    for (int g = 0; g < t->groups.lists; g++) {
        V empty = t->size[g][0] & ~several;
        if (any_lane(empty)) t->weight[g] += (uint32_t)count_lanes(empty);
    }
}

/* As propagate, with blame for what sweeps of the board find. */
static V settle_team(Team *t, int few)
{
    LaneSearch *s = t->search;
    V running, fresh = s->busy.vector;
    count_board(s);
    do {
        s->classic.open = s->broken = (V){0};
        running = both_minus(sweep(s) | fresh, s->busy.vector, s->classic.conflict);
        if (any_lane(s->broken)) blame_empty(t, s->broken);
        fresh = (V){0};
    } while (count_lanes(running) > few && !is_ended(s->job));
    return running;
}

/* As record_solution, but a restart may have found the same one again. */
static void record_team(Team *t, int lane)
{
    LaneSearch *s = t->search;
    uint8_t known[MAX_CELLS], *digits = s->job->solutions + s->puzzle[lane] * s->cells;
    uint8_t *status = s->job->status + s->puzzle[lane];
    if (*status != SATDOKU_UNIQUE) {
        record_solution(s, lane);
        return;
    }
    memcpy(known, digits, (size_t)s->cells);
    *status = SATDOKU_NONE;
    record_solution(s, lane);
    if (memcmp(known, digits, (size_t)s->cells)) *status = SATDOKU_MULTIPLE;
}

/* Put the node that the buffer has for a lane in the pool; `cell` as there. Returns 0 if the puzzle is
 * given up. */
static int pool_node(Team *t, int lane, int cell)
{
    LaneSearch *s = t->search;
    uint64_t *node = push_pool(t->pool, (int32_t)s->puzzle[lane], cell);
    if (!node) return 0;
    read_node(s, lane, node);
    return 1;
}

/* Split these lanes. Returns those that were split and go on. */
static V branch_team(Team *t, V stuck)
{
    LaneSearch *s = t->search;
    Lanes lanes = {stuck}, split = {split_lanes(t, stuck)};
    int16_t lane[LANES + 1];
    export_nodes(s->second, s->words, s->buffer);
    for (int i = 0, count = list_lanes(&lanes, lane); i < count; i++) {
        int64_t puzzle = s->puzzle[lane[i]];
        if (closed(s->job, puzzle) || !afford(s->job, puzzle)
            || (has_lane(&split, lane[i]) && !pool_node(t, lane[i], t->cell[lane[i]])))
            leave_lane(t, lane[i]);
    }
    return split.vector & s->busy.vector;
}

/* Split the stuck lanes; and, as long as half of the lanes idle, both halves again before they are
 * propagated. (Not under clues, where what a split is worth is known only behind propagation.) */
static void split_until_full(Team *t, V stuck)
{
    LaneSearch *s = t->search;
    int splits = has_clues(s->plan) ? 1 : SPLITS;
    for (; splits && any_lane(stuck); splits--) {
        stuck = branch_team(t, stuck);
        V before = s->busy.vector;
        if (2 * count_lanes(before) > LANES) return;
        fill_lanes(t);
        stuck |= s->busy.vector & ~before;
    }
}

static void retire_team(Team *t, V running)
{
    LaneSearch *s = t->search;
    V done = s->busy.vector & ~running;
    Lanes broken = {done & s->classic.conflict};
    Lanes solved = {minus_any(done, s->classic.conflict, s->classic.open)};
    Lanes gone = {broken.vector | solved.vector};
    V stuck = done & ~gone.vector;
    int16_t lane[LANES + 1];
    if (any_lane(solved.vector)) export_nodes(s->alive, s->words, s->buffer);
    for (int i = 0, count = list_lanes(&gone, lane); i < count; i++) {
        if (has_lane(&solved, lane[i])) record_team(t, lane[i]);
        leave_lane(t, lane[i]);
    }
    if (s->job->work) *s->job->work += PER_ROUND * (uint64_t)s->variables;
    order_choices(t);
    split_until_full(t, stuck);
}

/* Put the puzzles that are not finished in the pool. */
static void begin_team(Team *t, int again)
{
    LaneSearch *s = t->search;
    Pool *p = t->pool;
    p->count = 0;
    s->busy.vector = (V){0};
    s->classic.conflict = ~(V){0};
    for (int64_t puzzle = s->job->count; puzzle-- > 0;) {
        int wanted = !again || p->open[puzzle];
        p->open[puzzle] = 0;
        if (!wanted || closed(s->job, puzzle)) continue;
        uint64_t *node = push_pool(p, (int32_t)puzzle, -1);
        if (node && !encode_puzzle(s, puzzle, node)) {
            s->job->status[puzzle] = SATDOKU_INVALID;
            p->open[puzzle]--;
            p->count--;
        }
    }
}

/* Put the nodes of all lanes back in the pool. */
static void leave_lanes(Team *t)
{
    LaneSearch *s = t->search;
    Lanes busy = s->busy;
    int16_t lane[LANES + 1];
    export_nodes(s->alive, s->words, s->buffer);
    for (int i = 0, count = list_lanes(&busy, lane); i < count; i++) {
        pool_node(t, lane[i], -1);
        leave_lane(t, lane[i]);
    }
}

/* Begin anew, with the weights as they are, when the patience is at its end. */
static void restart_team(Team *t)
{
    Pool *p = t->pool;
    if (++p->rounds < p->patience) return;
    p->rounds = 0;
    p->patience *= 4;
    begin_team(t, 1);
}

/* The team of the pool, a new one if there is none; NULL if memory ran out. */
static Team *team_of(const satdoku_plan *plan, Pool *pool)
{
    int fresh = !pool->weight;
    if (pool->team) return pool->team;
    pool->team = open_team(plan, pool);
    if (pool->team && fresh) begin_team(pool->team, 0);
    return pool->team;
}

/* Nobody works on the pool. */
static void dismiss_team(Pool *pool)
{
    if (pool->team) close_team(pool->team);
    pool->team = NULL;
}

/* Search until no node is left, or it pauses; or, if a wider search goes on, until all lanes are full.
 * Returns whether nodes are left; -1 if memory ran out. */
static int search_team(const satdoku_plan *plan, Pool *pool, uint64_t pause, int goes_on)
{
    Team *t = team_of(plan, pool);
    if (!t) return -1;
    do {
        fill_lanes(t);
        int busy = count_lanes(t->search->busy.vector);
        pool->wide = busy == LANES && goes_on;
        if (!busy || pool->wide) {
            if (busy) leave_lanes(t);
            dismiss_team(pool);
            return pool->wide;
        }
        retire_team(t, settle_team(t, busy * PATIENCE / 100));
        restart_team(t);
    } while (!pauses(pool->job, pause));
    return 1;
}

/* `search_team`, in narrow vectors first where there are any. */
static int search_few(const satdoku_plan *plan, Pool *pool, uint64_t pause)
{
#ifdef NARROW
    if (!pool->wide) {
        int left = NARROW.team(plan, pool, pause, 1);
        if (!pool->wide || left < 0) return left;
        pool->rounds = 0, pool->patience = FIRST_RESTART;
    }
#endif
    int left = search_team(plan, pool, pause, 0);
    pool->wide = 1;
    return left;
}

static void close_paused(Paused *p)
{
    if (p->many) close_search(p->many);
#ifdef NARROW
    if (!p->pool.wide) NARROW.dismiss(&p->pool);
#endif
    dismiss_team(&p->pool);
    close_pool(&p->pool);
}

/* Returns -1 if memory ran out. */
static int solve_few(const satdoku_plan *plan, const satdoku_job *job)
{
    Paused p = {.many = NULL};
    int left = open_pool(&p.pool, plan, job) ? search_few(plan, &p.pool, NEVER) : -1;
    close_paused(&p);
    return left < 0 ? -1 : 0;
}

/* The puzzles of the job in slices that a search of few puzzles takes. */
static int solve_slices(const satdoku_plan *plan, const satdoku_job *job)
{
    int cells = plan->cells;
    int64_t width = job->marks ? (int64_t)cells * plan->digits : cells;
    for (int64_t first = 0; first < job->count && !is_ended(job); first += MOST_FEW) {
        satdoku_job slice = *job;
        slice.count = job->count - first < MOST_FEW ? job->count - first : MOST_FEW;
        slice.puzzles += first * width;
        slice.status += first;
        slice.solutions += first * cells;
        slice.nodes += first;
        if (solve_few(plan, &slice)) return -1;
    }
    return 0;
}

/* With few pairs besides rows, columns and boxes the triads of classic.h tell more than weights. With
 * many, weights tell so much that all puzzles are searched so, few at a time. */
static int in_team(const satdoku_plan *plan, const satdoku_job *job)
{
    int only_pairs = plan->classic && !has_clues(plan);
    int64_t pairs = plan->pairs.members / (CELLS9 * 9); /* of a candidate */
    if (job->grids || !plan->groups.lists || (only_pairs && pairs < FEW_PAIRS)) return 0;
    return job->count <= MOST_FEW || (only_pairs && pairs >= MANY_PAIRS);
}

static int solve(const satdoku_plan *plan, const satdoku_job *job)
{
#if HAS_VECTORS
    if (are_singles(plan, job)) {
        for (int64_t i = 0; i < job->count && !is_ended(job); i++) solve_single(job, i);
        return 0;
    }
#endif
    return in_team(plan, job) ? solve_slices(plan, job) : solve_many(plan, job);
}

/* Go on with a search of few puzzles until it is over or pauses. Returns whether nodes are left; -1
 * if memory ran out. */
static int advance(Paused *p, const satdoku_plan *plan, const satdoku_job *job, uint64_t pause)
{
    if (in_team(plan, job)) return search_few(plan, &p->pool, pause);
    if (!p->many) p->many = open_many(plan, job);
    return p->many ? search_many(p->many, pause) : -1;
}
