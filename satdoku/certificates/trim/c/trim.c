/* From the contradiction back to the first step: a step that nothing later needs is left out, one
 * that is needed must follow from what precedes it, and what that takes is needed as well.
 *
 * Invariant: at each step, forward and back, the trail is what unit propagation finds from the
 * clauses before it. So the trail only grows on the way forward, and on the way back is cut to the
 * length that it had. A clause whose watched literals are both false there is true for good.
 *
 * Propagation prefers clauses that are needed already, so that few others become so: each literal
 * has two lists of watches, and the second is read when the first has nothing more to say. A needed
 * clause moves from the second to the first when it is met.
 *
 * Source: M. Heule, W. Hunt, N. Wetzler, Trimming while checking clausal proofs, FMCAD 2013. */
#include "trim.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE, NEXT, BEFORE, FLAGS, LITERALS }; /* a clause's words */
enum { USED = 1, GONE = 2, WATCHED = 4, TRUE = 8 }; /* its flags; TRUE: a tautology */
enum { MAX_WORDS = 1 << 30, BUCKETS = 1 << 16, POLL_EVERY = 1 << 20 };

typedef struct {
    int32_t clause, blocker; /* a literal of the clause: if it is true, there is nothing to do */
} watch;

typedef struct {
    watch *items;
    int32_t count, room;
} watches;

typedef struct {
    int32_t variables;
    int32_t *arena; /* clauses; offset 0 is none */
    size_t used, room;
    watches *lists;    /* by literal: of clauses that are needed, then of the others */
    int8_t *value;     /* by literal: 1 true, -1 false, 0 open */
    int32_t *reason;   /* by variable */
    int32_t *place;    /* by variable: where it is on the trail */
    uint8_t *met;      /* by literal: in the clause at hand */
    uint8_t *seen;     /* by variable: an explanation asks for it */
    uint8_t *told;     /* by variable: it is explained, at top level */
    int32_t *trail;
    int32_t assigned, first, second; /* how much of the trail each sort of list has been read for */
    int32_t within;                  /* where the reading of a second list goes on */
    int32_t asked;                   /* variables that an explanation has still to come to */
    int32_t conflict;                /* a clause that has become false */
    int32_t *bucket;                 /* by hash: the last step with these literals */
    int32_t *event;                  /* its clause, negative if that is deleted */
    size_t events;
    int64_t visits, polled;
    trim_limits limits;
    trim_outcome failure;
} trimmer;

#define AT(t, literal) ((literal) + (t)->variables)

typedef enum { QUIET, UNIT, CONFLICT, FAILED } outcome; /* of propagation */

static outcome fail(trimmer *t, trim_outcome why)
{
    t->failure = why;
    return FAILED;
}

static int32_t absolute(int32_t literal) { return literal < 0 ? -literal : literal; }

static watches *list_of(const trimmer *t, int32_t literal, int second)
{
    return t->lists + 2 * (size_t)AT(t, literal) + second;
}

static outcome push(trimmer *t, watches *list, watch item)
{
    if (list->count == list->room) {
        int32_t room = list->room ? 2 * list->room : 4;
        watch *items = realloc(list->items, (size_t)room * sizeof *items);
        if (!items) return fail(t, TRIM_NO_MEMORY);
        list->items = items, list->room = room;
    }
    list->items[list->count++] = item;
    return QUIET;
}

static void assign(trimmer *t, int32_t literal, int32_t reason)
{
    t->value[AT(t, literal)] = 1;
    t->value[AT(t, -literal)] = -1;
    t->reason[absolute(literal)] = reason;
    t->place[absolute(literal)] = t->assigned;
    t->trail[t->assigned++] = literal;
}

static void cut(trimmer *t, int32_t length)
{
    while (t->assigned > length) {
        int32_t literal = t->trail[--t->assigned];
        t->value[AT(t, literal)] = t->value[AT(t, -literal)] = 0;
        t->told[absolute(literal)] = 0;
    }
    t->first = t->second = length;
    t->within = 0;
}

static int is_true(const trimmer *t, int32_t literal) { return t->value[AT(t, literal)] > 0; }
static int is_false(const trimmer *t, int32_t literal) { return t->value[AT(t, literal)] < 0; }

static void swap(int32_t *literals, int32_t one, int32_t other)
{
    int32_t kept = literals[one];
    literals[one] = literals[other];
    literals[other] = kept;
}

/* Propagation ---------------------------------------------------------------------------------- */

/* Another literal of the clause that is not false takes the place of the second. */
static int move_watch(const trimmer *t, int32_t *words)
{
    int32_t *literals = words + LITERALS;
    for (int32_t i = 2; i < words[SIZE]; i++)
        if (!is_false(t, literals[i])) {
            swap(literals, 1, i);
            return 1;
        }
    return 0;
}

/* Meet one clause that watches a false literal. *stays: whether it goes on watching it. */
static outcome meet(trimmer *t, int32_t clause, int32_t literal, int second, int *stays)
{
    int32_t *words = t->arena + clause, *literals = words + LITERALS;
    *stays = 0;
    if (words[FLAGS] & GONE) return QUIET;
    if (literals[0] == literal) swap(literals, 0, 1);
    int32_t other = literals[0];
    if (!is_true(t, other) && move_watch(t, words))
        return push(t, list_of(t, literals[1], second), (watch){clause, other});
    *stays = 1;
    if (is_true(t, other)) return QUIET;
    if (is_false(t, other)) {
        t->conflict = clause;
        return CONFLICT;
    }
    assign(t, other, clause);
    return UNIT;
}

/* Read the watches of a false literal from a place on; *at is where it stopped. A second list stops
 * after each unit. */
static outcome read_list(trimmer *t, int32_t literal, int second, int32_t *at)
{
    watches *list = list_of(t, literal, second);
    outcome last = QUIET;
    int32_t from = *at, to = *at;
    while (from < list->count && last < CONFLICT && !(second && last == UNIT)) {
        watch item = list->items[from++];
        t->visits++;
        if (is_true(t, item.blocker)) {
            list->items[to++] = item;
            continue;
        }
        int is_late = second && t->arena[item.clause + FLAGS] & USED; /* it moves to the first */
        int stays;
        last = meet(t, item.clause, literal, second && !is_late, &stays);
        item.blocker = t->arena[item.clause + LITERALS];
        if (stays && !is_late) list->items[to++] = item;
        if (stays && is_late && push(t, list_of(t, literal, 0), item) == FAILED) last = FAILED;
    }
    *at = to;
    if (to < from) {
        memmove(list->items + to, list->items + from,
                (size_t)(list->count - from) * sizeof *list->items);
        list->count -= from - to;
    }
    return last;
}

static outcome check_limits(trimmer *t)
{
    if (t->visits > t->limits.budget) return fail(t, TRIM_OVER_BUDGET);
    if (t->visits - t->polled < POLL_EVERY) return QUIET;
    t->polled = t->visits;
    return t->limits.poll(t->limits.context) ? fail(t, TRIM_STOPPED) : QUIET;
}

static outcome propagate(trimmer *t)
{
    outcome last = check_limits(t);
    while (last < CONFLICT) {
        int32_t start = 0;
        if (t->first < t->assigned) {
            last = read_list(t, -t->trail[t->first++], 0, &start);
        } else if (t->second < t->assigned) {
            last = read_list(t, -t->trail[t->second], 1, &t->within);
            if (last == QUIET) t->second++, t->within = 0;
        } else {
            break;
        }
    }
    return last < CONFLICT ? QUIET : last;
}

/* What is needed ------------------------------------------------------------------------------- */

/* The clause is needed, and to be explained is what made its literals false. */
static void need(trimmer *t, int32_t clause)
{
    int32_t *words = t->arena + clause;
    words[FLAGS] |= USED;
    for (int32_t i = 0; i < words[SIZE]; i++) {
        int32_t variable = absolute(words[LITERALS + i]);
        if (t->seen[variable] || t->told[variable]) continue;
        t->seen[variable] = 1;
        t->asked++;
    }
}

/* Explain the conflict, back along the trail, of which all before `mark` is at top level. What has
 * no reason was assumed, and stays `seen` if the conflict depends on it. */
static void explain(trimmer *t, int32_t mark)
{
    t->asked = 0;
    need(t, t->conflict);
    for (int32_t i = t->assigned; t->asked;) {
        int32_t variable = absolute(t->trail[--i]);
        if (!t->seen[variable]) continue;
        t->asked--;
        if (!t->reason[variable]) continue;
        need(t, t->reason[variable]);
        t->seen[variable] = 0;
        t->told[variable] = i < mark;
    }
}

/* Clauses -------------------------------------------------------------------------------------- */

/* How late the literal became false. */
static int32_t lateness(const trimmer *t, int32_t literal)
{
    return is_false(t, literal) ? t->place[absolute(literal)] : INT32_MAX;
}

/* Watch the clause, which has two literals or more: two that are not false, or were so last. */
static outcome attach(trimmer *t, int32_t clause)
{
    int32_t *words = t->arena + clause, *literals = words + LITERALS;
    for (int32_t side = 0; side < 2; side++) {
        int32_t best = side;
        for (int32_t i = side + 1; i < words[SIZE]; i++)
            if (lateness(t, literals[i]) > lateness(t, literals[best])) best = i;
        swap(literals, side, best);
    }
    words[FLAGS] = (words[FLAGS] | WATCHED) & ~GONE;
    int second = !(words[FLAGS] & USED);
    if (push(t, list_of(t, literals[0], second), (watch){clause, literals[1]}) == FAILED)
        return FAILED;
    return push(t, list_of(t, literals[1], second), (watch){clause, literals[0]});
}

/* Watch a clause that no explanation has met yet no longer. */
static void detach(trimmer *t, int32_t clause)
{
    int32_t *words = t->arena + clause;
    words[FLAGS] |= GONE;
    for (int side = 0; side < 2; side++) {
        watches *list = list_of(t, words[LITERALS + side], 1);
        int32_t i = 0;
        while (list->items[i].clause != clause) i++;
        memmove(list->items + i, list->items + i + 1,
                (size_t)(--list->count - i) * sizeof *list->items);
    }
}

/* The length of the clause at the start of some words, without its 0; -1 if there is none. */
static ptrdiff_t clause_length(int32_t variables, const int32_t *words, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (words[i] == 0) return (ptrdiff_t)i;
        if (words[i] > variables || words[i] < -variables) return -1;
    }
    return -1;
}

/* Write the distinct literals of a clause behind the last one. Returns its offset, or 0 if there is
 * no room. It is kept only if `used` grows as well. */
static int32_t write_clause(trimmer *t, const int32_t *literals, size_t size)
{
    size_t needed = t->used + LITERALS + size;
    if (needed > MAX_WORDS) return 0;
    if (needed > t->room) {
        int32_t *arena = realloc(t->arena, 2 * needed * sizeof *arena);
        if (!arena) return 0;
        t->arena = arena, t->room = 2 * needed;
    }
    int32_t *words = t->arena + t->used, kept = 0;
    words[NEXT] = words[FLAGS] = 0, words[BEFORE] = t->assigned;
    for (size_t i = 0; i < size; i++) {
        uint8_t *met = t->met + AT(t, literals[i]);
        if (!*met) words[LITERALS + kept++] = literals[i];
        if (t->met[AT(t, -literals[i])]) words[FLAGS] = TRUE;
        *met = 1;
    }
    for (int32_t i = 0; i < kept; i++) t->met[AT(t, words[LITERALS + i])] = 0;
    words[SIZE] = kept;
    return (int32_t)t->used;
}

static int32_t *bucket_of(const trimmer *t, int32_t clause)
{
    const int32_t *words = t->arena + clause;
    uint32_t hash = 0;
    for (int32_t i = 0; i < words[SIZE]; i++) {
        uint32_t word = (uint32_t)words[LITERALS + i] * 0x9e3779b1u;
        hash += word ^ word >> 15;
    }
    return t->bucket + ((hash ^ hash >> 16) & (BUCKETS - 1));
}

/* Whether two clauses have the same literals. */
static int is_same(trimmer *t, const int32_t *one, const int32_t *other)
{
    int32_t same = 0;
    if (one[SIZE] != other[SIZE]) return 0;
    for (int32_t i = 0; i < one[SIZE]; i++) t->met[AT(t, one[LITERALS + i])] = 1;
    for (int32_t i = 0; i < other[SIZE]; i++) same += t->met[AT(t, other[LITERALS + i])];
    for (int32_t i = 0; i < one[SIZE]; i++) t->met[AT(t, one[LITERALS + i])] = 0;
    return same == one[SIZE];
}

/* Forward -------------------------------------------------------------------------------------- */

/* Add a clause, unless it is true for good; what becomes unit is assigned, not propagated. */
static outcome add(trimmer *t, int32_t clause)
{
    int32_t *words = t->arena + clause, *literals = words + LITERALS, open = 0;
    t->used += LITERALS + (size_t)words[SIZE];
    if (words[FLAGS] & TRUE) return QUIET;
    for (int32_t i = 0; i < words[SIZE]; i++) {
        if (is_true(t, literals[i])) return QUIET;
        open += !is_false(t, literals[i]);
    }
    if (words[SIZE] > 1 && attach(t, clause) == FAILED) return FAILED;
    t->conflict = clause;
    if (!open) return CONFLICT;
    if (open == 1) assign(t, literals[0], clause);
    return QUIET;
}

static outcome delete(trimmer *t, int32_t like)
{
    int32_t *link = bucket_of(t, like);
    for (; *link; link = t->arena + *link + NEXT) {
        int32_t clause = *link;
        if (!is_same(t, t->arena + clause, t->arena + like)) continue;
        *link = t->arena[clause + NEXT];
        detach(t, clause);
        t->event[t->events++] = -clause;
        break;
    }
    return QUIET;
}

static outcome take_step(trimmer *t, int32_t clause)
{
    t->event[t->events++] = clause;
    outcome last = add(t, clause);
    if (t->arena[clause + FLAGS] & WATCHED) {
        int32_t *bucket = bucket_of(t, clause);
        t->arena[clause + NEXT] = *bucket;
        *bucket = clause;
    }
    return last == QUIET ? propagate(t) : last;
}

/* Read clauses, or the steps of a proof, as far as they go without a conflict. */
static outcome read_clauses(trimmer *t, const int32_t *words, size_t length, int are_steps)
{
    outcome last = QUIET;
    for (size_t at = 0; at < length && last == QUIET;) {
        int deletes = are_steps && words[at] == TRIM_DELETE;
        at += (size_t)deletes;
        ptrdiff_t size = clause_length(t->variables, words + at, length - at);
        if (size < 0) return fail(t, TRIM_MALFORMED);
        int32_t clause = write_clause(t, words + at, (size_t)size);
        if (!clause) return fail(t, TRIM_NO_MEMORY);
        last = deletes ? delete(t, clause) : are_steps ? take_step(t, clause) : add(t, clause);
        at += (size_t)size + 1;
    }
    return last == QUIET && !are_steps ? propagate(t) : last;
}

/* Back ----------------------------------------------------------------------------------------- */

/* Whether a needed step follows; of its literals those are kept that this takes. */
static outcome derive(trimmer *t, int32_t clause)
{
    int32_t *words = t->arena + clause, *literals = words + LITERALS, kept = 0;
    int32_t mark = t->assigned;
    for (int32_t i = 0; i < words[SIZE]; i++)
        if (!is_false(t, literals[i])) assign(t, -literals[i], 0);
    outcome last = propagate(t);
    if (last == FAILED) return last;
    if (last != CONFLICT) return fail(t, TRIM_NO_REFUTATION);
    explain(t, mark);
    for (int32_t i = 0; i < words[SIZE]; i++) {
        if (t->seen[absolute(literals[i])]) literals[kept++] = literals[i];
        t->seen[absolute(literals[i])] = 0;
    }
    words[SIZE] = kept;
    cut(t, mark);
    return QUIET;
}

static outcome go_back(trimmer *t)
{
    outcome last = QUIET;
    explain(t, t->assigned);
    for (size_t i = t->events; i-- > 0 && last == QUIET;) {
        int32_t clause = t->event[i];
        if (clause < 0) {
            last = attach(t, -clause);
            continue;
        }
        t->arena[clause + FLAGS] |= GONE;
        cut(t, t->arena[clause + BEFORE]);
        if (t->arena[clause + FLAGS] & USED) last = derive(t, clause);
    }
    return last;
}

/* In and out ----------------------------------------------------------------------------------- */

static int by_variable(const void *one, const void *other)
{
    int32_t a = absolute(*(const int32_t *)one), b = absolute(*(const int32_t *)other);
    return (a > b) - (a < b);
}

static void write_result(const trimmer *t, trim_result *result)
{
    const int32_t *words = t->arena + 1, *end = t->arena + t->used;
    for (size_t i = 0; i < result->clauses && words < end; i++) {
        result->used[i] = (words[FLAGS] & USED) != 0;
        words += LITERALS + words[SIZE];
    }
    for (size_t i = 0; i < t->events; i++) {
        if (t->event[i] < 0 || !(t->arena[t->event[i] + FLAGS] & USED)) continue;
        words = t->arena + t->event[i];
        int32_t *to = result->steps + result->length;
        memcpy(to, words + LITERALS, (size_t)words[SIZE] * sizeof *to);
        qsort(to, (size_t)words[SIZE], sizeof *to, by_variable);
        result->length += (size_t)words[SIZE];
        result->steps[result->length++] = 0;
    }
    result->steps[result->length++] = 0;
}

static size_t literals_of(const trimmer *t) { return 2 * (size_t)t->variables + 1; }

static void release(trimmer *t)
{
    for (size_t i = 0; t->lists && i < 2 * literals_of(t); i++) free(t->lists[i].items);
    free(t->lists), free(t->arena), free(t->value), free(t->reason), free(t->place), free(t->met);
    free(t->seen), free(t->told), free(t->trail), free(t->bucket), free(t->event);
}

static int allocate(trimmer *t, size_t length)
{
    size_t variables = (size_t)t->variables + 1;
    t->used = 1, t->room = 1 << 16;
    t->arena = malloc(t->room * sizeof *t->arena);
    t->lists = calloc(2 * literals_of(t), sizeof *t->lists);
    t->value = calloc(literals_of(t), 1), t->met = calloc(literals_of(t), 1);
    t->reason = calloc(variables, sizeof *t->reason);
    t->place = calloc(variables, sizeof *t->place);
    t->seen = calloc(variables, 1), t->told = calloc(variables, 1);
    t->trail = calloc(variables, sizeof *t->trail);
    t->bucket = calloc(BUCKETS, sizeof *t->bucket);
    t->event = malloc((length + 1) * sizeof *t->event); /* a step is one word at least */
    return t->arena && t->lists && t->value && t->met && t->reason && t->place && t->seen
        && t->told && t->trail && t->bucket && t->event;
}

static size_t count_clauses(const int32_t *words, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) count += words[i] == 0;
    return count;
}

trim_outcome trim_proof(int32_t variables, const int32_t *clauses, size_t clauses_length,
                        const int32_t *proof, size_t proof_length, trim_limits limits,
                        trim_result *result)
{
    trimmer t = {.variables = variables, .limits = limits, .failure = TRIM_NO_MEMORY};
    *result = (trim_result){.clauses = count_clauses(clauses, clauses_length)};
    result->used = calloc(result->clauses + 1, 1);
    result->steps = malloc((proof_length + 1) * sizeof *result->steps);
    int ready = allocate(&t, proof_length) && result->used && result->steps;
    outcome last = ready ? read_clauses(&t, clauses, clauses_length, 0) : FAILED;
    if (last == QUIET) last = read_clauses(&t, proof, proof_length, 1);
    if (last == QUIET) last = fail(&t, TRIM_NO_REFUTATION);
    if (last == CONFLICT) last = go_back(&t);
    if (last == QUIET) write_result(&t, result);
    release(&t);
    return last == QUIET ? TRIM_DONE : t.failure;
}

void trim_free(trim_result *result) { free(result->used), free(result->steps); }
