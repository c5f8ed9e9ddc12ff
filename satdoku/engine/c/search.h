/* Depth-first search over a stream of puzzles, LANES at a time.
 *
 * Invariant: a lane works on one puzzle and keeps its own stack of nodes that are still to be tried,
 * so the search of a puzzle does not depend on its neighbours. Memory is bounded: every decision
 * settles a cell, or a line of a matrix of triads (two lines settle the third, so 108 decisions settle
 * all), and no stack is higher than that. A lane with an empty stack takes the next puzzle; if there
 * is none, it takes the oldest node of another lane, which promises the largest subtree.
 *
 * A round fills the free lanes, sweeps until few lanes still change, retires the lanes that are
 * solved or in conflict, and branches those that are stuck. */

typedef struct {
    const satdoku_plan *plan;
    const satdoku_job *job;
    int cells, variables, words; /* words: 64-bit words of a node */
    int depth;                   /* of a stack */
    int lanes;                   /* in use, at most LANES */
    int64_t next;                /* first puzzle not yet begun */
    V *alive, *second;           /* the block; the other half of a branch */
    Generic generic;
    Classic classic;
    Boxed boxed;
    V broken; /* lanes in which the last sweep of the board found a conflict */
    int downwards;
    V *buffer;                   /* nodes of the lanes, going in or out */
    V *codes;                    /* 9x9 grids of the lanes as codes, going in or out */
    Lanes fresh;                 /* whose puzzle is a code so far */
    int by_codes;                /* whether puzzles come in as codes: many did in the last round */
    uint64_t *stack;             /* entry e of lane k is the node at e * lanes + k */
    int64_t puzzle[LANES];       /* what a lane works on */
    int32_t bottom[LANES], top[LANES];
    Lanes busy;
} LaneSearch;

static void *vectors(size_t count)
{
    void *memory = TAKE_ALIGNED(sizeof(V), count * sizeof(V));
    if (memory) memset(memory, 0, count * sizeof(V));
    return memory;
}

static void close_search(LaneSearch *s)
{
    FREE_ALIGNED(s->alive);
    FREE_ALIGNED(s->second);
    FREE_ALIGNED(s->generic.truth);
    FREE_ALIGNED(s->generic.states);
    free(s->generic.passed);
    FREE_ALIGNED(s->boxed.taken);
    FREE_ALIGNED(s->buffer);
    FREE_ALIGNED(s->codes);
    free(s->stack);
    FREE_ALIGNED(s);
}

/* Whether grids are those of `codec9.h`. */
INLINE int is_nine(const LaneSearch *s) { return s->cells == CELLS9 && s->plan->digits == 9; }

/* Whether the puzzles are such grids. */
INLINE int has_codes(const LaneSearch *s) { return is_nine(s) && !s->job->marks; }

static LaneSearch *open_search(const satdoku_plan *plan, const satdoku_job *job)
{
    LaneSearch *s = vectors(sizeof(LaneSearch) / sizeof(V));
    if (!s) return NULL;
    s->plan = plan;
    s->job = job;
    s->cells = plan->cells;
    s->variables = plan->cells * plan->digits;
    s->words = (s->variables + 63) / 64;
    s->depth = plan->classic ? DEPTH9 : s->cells;
    int64_t fit = POOL_BYTES / ((int64_t)s->words * 8 * s->depth);
    s->lanes = fit < 1 ? 1 : fit < LANES ? (int)fit : LANES;
    s->alive = vectors((size_t)s->words * 64);
    s->second = vectors((size_t)s->words * 64);
    s->buffer = vectors(64 * (size_t)PITCH(s->words));
    s->codes = vectors(64 * PITCH(CODES9));
    s->generic.plan = plan;
    s->generic.alive = s->alive;
    int opened = open_boxes(&s->boxed, plan);
    s->generic.first_group = first_passed(plan, s->boxed.rows > 0);
    s->generic.overlaps = s->boxed.rows ? 0 : plan->overlaps.lists;
    s->generic.truth = vectors(plan->groups.lists ? (size_t)s->variables : 1);
    s->generic.states = vectors(most_states(plan) + most_totals(plan) + most_full(plan));
    s->generic.passed = open_passes(plan);
    s->by_codes = has_codes(s);
    if (s->alive && s->second && s->buffer && s->codes && s->generic.truth
        && s->generic.states && opened)
        return s;
    close_search(s);
    return NULL;
}

INLINE uint64_t *entry(LaneSearch *s, int lane, int e)
{
    return s->stack + ((size_t)e * (size_t)s->lanes + (size_t)lane) * (size_t)s->words;
}

INLINE void load_node(LaneSearch *s, int lane, const uint64_t *node)
{
    if (s->words == WORDS9) put_node(s->buffer, WORDS9, lane, node);
    else put_node(s->buffer, s->words, lane, node);
}

INLINE void read_node(LaneSearch *s, int lane, uint64_t *node)
{
    if (s->words == WORDS9) get_node(s->buffer, WORDS9, lane, node);
    else get_node(s->buffer, s->words, lane, node);
}

/* The puzzle is answered for good: its other nodes no longer matter. */
INLINE int closed(const satdoku_job *job, int64_t puzzle)
{
    int status = job->status[puzzle];
    return status != SATDOKU_NONE && status != SATDOKU_UNIQUE;
}

/* Spend one more node; 0 if the puzzle cannot afford it. */
INLINE int afford(const satdoku_job *job, int64_t puzzle)
{
    if (job->nodes[puzzle] >= job->budget) {
        job->status[puzzle] = SATDOKU_UNKNOWN;
        return 0;
    }
    job->nodes[puzzle]++;
    if (job->work) *job->work += PER_NODE;
    return 1;
}

/* The puzzle as a node; 0 if it has a digit that is too large. */
static int encode_puzzle(const LaneSearch *s, int64_t puzzle, uint64_t *node)
{
    const uint8_t *bytes = s->job->puzzles + puzzle * (s->job->marks ? s->variables : s->cells);
    if (has_codes(s)) {
        uint64_t code[CODES9];
        int valid = encode9(bytes, code);
        expand_code(code, node);
        return valid;
    }
    memset(node, 0, (size_t)s->words * sizeof *node);
    if (!s->job->marks) return encode_digits(bytes, s->plan, node);
    encode_marks(bytes, s->plan, node);
    return 1;
}

/* Put a puzzle into the buffer; 0 if it has a digit that is too large. */
static int load_puzzle(LaneSearch *s, int lane, int64_t puzzle)
{
    uint64_t node[MAX_WORDS];
    if (!s->by_codes) {
        if (!encode_puzzle(s, puzzle, node)) return 0;
        load_node(s, lane, node);
        return 1;
    }
    if (!encode9(s->job->puzzles + puzzle * CELLS9, node)) return 0;
    put_node(s->codes, CODES9, lane, node);
    add_lane(&s->fresh, lane);
    return 1;
}

static int take_puzzle(LaneSearch *s, int lane)
{
    while (s->next < s->job->count) {
        int64_t puzzle = s->next++;
        if (!load_puzzle(s, lane, puzzle)) {
            s->job->status[puzzle] = SATDOKU_INVALID;
            continue;
        }
        if (!afford(s->job, puzzle)) continue;
        s->puzzle[lane] = puzzle;
        return 1;
    }
    return 0;
}

/* Take the oldest node of the lane `from`, if it has one that still matters. */
static int steal_node(LaneSearch *s, int lane, int from)
{
    if (s->bottom[from] == s->top[from] || closed(s->job, s->puzzle[from])) return 0;
    if (!afford(s->job, s->puzzle[from])) return 0;
    load_node(s, lane, entry(s, from, s->bottom[from]++));
    s->puzzle[lane] = s->puzzle[from];
    return 1;
}

/* Work for a free lane: its own last node, or else a new puzzle, or else the oldest node of another
 * lane. */
static int take_work(LaneSearch *s, int lane, int *victim)
{
    if (s->bottom[lane] < s->top[lane] && !closed(s->job, s->puzzle[lane])
        && afford(s->job, s->puzzle[lane])) {
        load_node(s, lane, entry(s, lane, --s->top[lane]));
        return 1;
    }
    s->bottom[lane] = s->top[lane] = 0;
    if (take_puzzle(s, lane)) return 1;
    for (; *victim < s->lanes; ++*victim)
        if (steal_node(s, lane, *victim)) {
            ++*victim;
            return 1;
        }
    return 0;
}

/* Whether a part of the sweep knows the board, and so which cells are decided. */
INLINE int has_board(const LaneSearch *s) { return s->plan->classic || s->boxed.rows; }

static void begin_lanes(LaneSearch *s, V load)
{
    if (!has_board(s) && s->plan->groups.lists)
        for (int i = 0; i < s->variables; i++) s->generic.truth[i] &= ~load;
    s->classic.conflict &= ~load;
    s->busy.vector |= load;
}

/* Move nodes from the buffer into the lanes of `load`. */
static void load_lanes(LaneSearch *s, V load)
{
    import_nodes(s->alive, s->words, s->buffer, load);
    begin_lanes(s, load);
}

/* Move the codes into their lanes. */
static void load_codes(LaneSearch *s)
{
    import_nodes(s->second, CODES9, s->codes, ~(V){0});
    expand_lanes(s->alive, s->second, s->fresh.vector);
    begin_lanes(s, s->fresh.vector);
    s->fresh.vector = (V){0};
}

/* Fill the free lanes as long as there is work. */
static void refill(LaneSearch *s)
{
    Lanes free = {~s->busy.vector}, load = {{0}};
    int16_t lane[LANES + 1];
    int victim = 0;
    int64_t first = s->next;
    for (int i = 0, count = list_lanes(&free, lane); i < count && lane[i] < s->lanes; i++)
        if (take_work(s, lane[i], &victim)) add_lane(&load, lane[i]);
    load.vector &= ~s->fresh.vector;
    if (any_lane(s->fresh.vector)) load_codes(s);
    if (any_lane(load.vector)) load_lanes(s, load.vector);
    touch_all(&s->generic);
    s->by_codes = has_codes(s) && s->next - first >= MANY;
}

/* The part of a sweep that knows boards. Returns the cells with two candidates or more. */
static const V *sweep_board(LaneSearch *s)
{
    Classic *c = &s->classic;
    Boxed *b = &s->boxed;
    int downwards = s->downwards;
    s->downwards = !downwards;
    if (s->plan->classic) {
        sweep_classic(c, s->alive, downwards);
        return c->two;
    }
    b->conflict = c->conflict;
    sweep_boxed(b, s->alive, downwards);
    c->conflict = b->conflict, c->changed = b->changed, c->open = b->open;
    return b->two;
}

/* Whether the plan lists anything beside the board. (Clues come with the groups of cells.) */
static int says_more(const LaneSearch *s)
{
    const satdoku_plan *p = s->plan;
    return s->generic.first_group < p->groups.lists
           || (p->groups.lists && (p->pairs.lists || has_clues(p)));
}

/* One sweep over all that the plan contains. Returns the lanes that it changed. */
static V sweep(LaneSearch *s)
{
    V changed = {0};
    Classic *c = &s->classic;
    Generic *g = &s->generic;
    if (s->job->work) *s->job->work += PER_CANDIDATE * (uint64_t)s->variables + g->work;
    g->work = 0;
    if (!s->plan->classic && !s->plan->groups.lists) return changed;
    if (has_board(s)) {
        V before = c->conflict;
        if (tracks(g)) memcpy(s->second, s->alive, (size_t)s->variables * sizeof(V));
        const V *two = sweep_board(s);
        s->broken = c->conflict & ~before;
        changed = c->changed;
        if (!says_more(s)) return changed;
        take_decided(g, two);
    }
    g->conflict = c->conflict;
    g->clock++;
    if (tracks(g) && has_board(s)) touch_swept(g, s->second);
    sweep_generic(g);
    pass_clues(g);
    c->conflict = g->conflict;
    c->open |= g->open;
    return changed | g->changed;
}

/* Count what a sweep of the board needs to know of new nodes. */
static void count_board(LaneSearch *s)
{
    if (s->plan->classic) count_cells(&s->classic, s->alive);
    else if (s->boxed.rows) count_boxed(&s->boxed, s->alive, s->boxed.rowline, s->boxed.twos);
}

/* Sweep until at most `few` lanes still change, and return these. Every lane gets at least two
 * sweeps: if the first one changes nothing, that is not yet the fixpoint, because cells that were
 * decided from the start have not struck their peers. */
static V propagate(LaneSearch *s, int few)
{
    V running, fresh = s->busy.vector;
    count_board(s);
    do {
        s->classic.open = (V){0};
        running = both_minus(sweep(s) | fresh, s->busy.vector, s->classic.conflict);
        fresh = (V){0};
    } while (count_lanes(running) > few && !is_ended(s->job));
    return running;
}

/* Where the next solution of the puzzle is listed; NULL if the puzzle has more than there is room
 * for. */
static uint8_t *list_solution(const satdoku_job *job, int64_t puzzle, size_t cells)
{
    uint64_t *found = job->grids + puzzle;
    if (*found == (uint64_t)job->limit) {
        job->status[puzzle] = SATDOKU_MULTIPLE;
        return NULL;
    }
    return job->solutions + ((size_t)puzzle * (size_t)job->limit + (*found)++) * cells;
}

/* Count a solution of the puzzle. Returns where it has to be written, or NULL if it is not wanted. */
static uint8_t *count_solution(const satdoku_job *job, int64_t puzzle, int cells)
{
    uint8_t *status = job->status + puzzle;
    if (closed(job, puzzle)) return NULL;
    if (job->grids) return list_solution(job, puzzle, (size_t)cells);
    if (*status == SATDOKU_UNIQUE) {
        *status = SATDOKU_MULTIPLE;
        return NULL;
    }
    *status = job->limit == 1 ? SATDOKU_SOLVED : SATDOKU_UNIQUE;
    return job->solutions + puzzle * cells;
}

/* Record the solution that the lane's node is. */
static void record_solution(LaneSearch *s, int lane)
{
    uint64_t node[MAX_WORDS], code[CODES9];
    uint8_t *digits = count_solution(s->job, s->puzzle[lane], s->cells);
    if (!digits) return;
    read_node(s, lane, node);
    if (!is_nine(s)) {
        decode_digits(node, s->plan, digits);
        return;
    }
    contract_node(node, code);
    decode9(code, digits);
}

/* Record the solutions of many lanes of 9x9. */
static void record_many(LaneSearch *s, V solved)
{
    Lanes lanes = {solved};
    int16_t lane[LANES + 1];
    contract_lanes(s->alive, s->second);
    export_nodes(s->second, CODES9, s->codes);
    for (int i = 0, count = list_lanes(&lanes, lane); i < count; i++) {
        uint64_t code[CODES9];
        uint8_t *digits = count_solution(s->job, s->puzzle[lane[i]], s->cells);
        if (!digits) continue;
        get_node(s->codes, CODES9, lane[i], code);
        decode9(code, digits);
    }
}

/* Keep the second half of a branch for later; the lane goes on with the first. Returns 0 if the
 * puzzle is closed. (Only a plan without groups for the cells can need a higher stack; a CDCL solver
 * has to answer that.) */
static int push_node(LaneSearch *s, int lane)
{
    if (closed(s->job, s->puzzle[lane]) || !afford(s->job, s->puzzle[lane])) return 0;
    if (s->top[lane] == s->depth) {
        s->job->status[s->puzzle[lane]] = SATDOKU_UNKNOWN;
        return 0;
    }
    uint64_t *node = entry(s, lane, s->top[lane]++);
    read_node(s, lane, node);
    return 1;
}

/* Branch these lanes, and export the nodes of all. Returns the lanes that were split. */
static V branch(LaneSearch *s, V stuck)
{
    if (s->plan->classic) stuck = branch_classic(&s->classic, s->alive, s->second, stuck);
    else branch_generic(&s->generic, s->second, stuck);
    s->busy.vector &= ~s->classic.conflict;
    export_nodes(s->second, s->words, s->buffer);
    return stuck;
}

/* Count the solutions that the lanes of `solved` are, where all are counted only. */
static void tally(LaneSearch *s, Lanes *solved)
{
    int16_t lane[LANES + 1];
    for (int i = 0, count = list_lanes(solved, lane); i < count; i++)
        s->job->grids[s->puzzle[lane[i]]]++;
    solved->vector = (V){0};
}

/* A branch costs the same for few lanes as for many. So few stuck ones wait for more, unless the
 * puzzles run out. */
static void retire(LaneSearch *s, V running)
{
    V done = s->busy.vector & ~running & ~s->classic.conflict;
    Lanes solved = {done & ~s->classic.open}, stuck = {done & s->classic.open}, both;
    int16_t lane[LANES + 1];
    s->busy.vector = running | stuck.vector;
    if (!s->job->solutions) tally(s, &solved);
    if (count_lanes(stuck.vector) < MANY && s->next < s->job->count) stuck.vector = (V){0};
    if (is_nine(s) && count_lanes(solved.vector) >= MANY) {
        record_many(s, solved.vector);
        solved.vector = (V){0};
    }
    if (any_lane(stuck.vector)) stuck.vector = branch(s, stuck.vector);
    else if (any_lane(solved.vector)) export_nodes(s->alive, s->words, s->buffer);
    both.vector = solved.vector | stuck.vector;
    for (int i = 0, count = list_lanes(&both, lane); i < count; i++)
        if (has_lane(&solved, lane[i])) record_solution(s, lane[i]);
        else if (!push_node(s, lane[i])) drop_lane(&s->busy, lane[i]);
}

/* A search of many puzzles with its stacks; NULL if memory ran out. */
static LaneSearch *open_many(const satdoku_plan *plan, const satdoku_job *job)
{
    LaneSearch *s = open_search(plan, job);
    if (s) s->stack = malloc((size_t)s->words * 8 * (size_t)s->depth * (size_t)s->lanes);
    if (s && s->stack) return s;
    if (s) close_search(s);
    return NULL;
}

/* Search until nothing is left, or it pauses. Returns whether nodes are left. */
static int search_many(LaneSearch *s, uint64_t pause)
{
    do {
        refill(s);
        int busy = count_lanes(s->busy.vector);
        if (!busy) return 0;
        retire(s, propagate(s, busy * PATIENCE / 100));
    } while (!pauses(s->job, pause));
    return 1;
}

static int solve_many(const satdoku_plan *plan, const satdoku_job *job)
{
    LaneSearch *s = open_many(plan, job);
    if (!s) return -1;
    search_many(s, NEVER);
    close_search(s);
    return 0;
}

/* Put puzzles into lanes 0, 1, 2, ... of an empty block. Returns how many. */
static int load_puzzles(LaneSearch *s)
{
    uint64_t node[MAX_WORDS];
    Lanes load = {{0}};
    int lane = 0;
    for (; lane < s->lanes && s->next < s->job->count; lane++) {
        encode_puzzle(s, s->next++, node);
        load_node(s, lane, node);
        add_lane(&load, lane);
    }
    s->busy.vector = (V){0};
    load_lanes(s, load.vector);
    touch_all(&s->generic);
    return lane;
}

static int fixpoints(const satdoku_plan *plan, const satdoku_job *job, uint8_t *candidates,
                     uint8_t *conflict)
{
    LaneSearch *s = open_search(plan, job);
    if (!s) return -1;
    for (int64_t first = 0; first < job->count && !is_ended(job); first = s->next) {
        int loaded = load_puzzles(s);
        propagate(s, 0);
        export_nodes(s->alive, s->words, s->buffer);
        Lanes clash = {s->classic.conflict};
        for (int lane = 0; lane < loaded; lane++) {
            uint64_t node[MAX_WORDS];
            read_node(s, lane, node);
            conflict[first + lane] = (uint8_t)has_lane(&clash, lane);
            decode_marks(node, plan, candidates + (first + lane) * s->variables);
        }
    }
    close_search(s);
    return 0;
}
