/* Depth-first search for hitting sets.
 *
 * A node takes a set that is not hit and tries its cells one after the other; a cell that has been
 * tried is barred from the branches behind it. A branch ends where more disjoint sets are left than
 * cells may follow.
 *
 * Two of three parts have few cells of a hitting set if the third has the most: of 16 cells, ten.
 * So the sets within these two parts are hit first. They are words, and most branches end there.
 *
 * Sources: G. McGuire, B. Tugemann, G. Civario, There is no 16-Clue Sudoku, Experimental
 * Mathematics 23 (2014), for dead clues and disjoint sets as bounds; H.-H. Lin, I-C. Wu, An Efficient
 * Approach to Solving the Minimum Sudoku Problem, ICGA Journal 34 (2011); E. Moreno-Centeno,
 * R. Karp, The Implicit Hitting Set Approach, Operations Research 61 (2013), for asking. */
#if defined(__GNUC__) && !defined(SATDOKU_PLAIN) && !defined(__clang__) && defined(__x86_64__)
#pragma GCC target("popcnt")
#define NEEDS_POPCNT 1
#else
#define NEEDS_POPCNT 0
#endif

#include "../../../runtime/portable.h"

#include "hitting.h"

#include <stdlib.h>
#include <string.h>

#define NONE 1000  /* more than the cells of any set */
#define MOST_SIZE 120 /* numbers of cells are signed bytes */
#define PATIENCE 4096 /* nodes between two polls */

typedef struct {
    uint64_t pair, last; /* cells of parts 0 and 1, and of part 2, each by their places */
} Split;

/* The sets that no cell has hit so far: within the two parts, and others. */
typedef struct {
    uint64_t *pairs;
    Split *others;
    int64_t pair_count, other_count, pair_room, other_room;
} Level;

typedef struct {
    Split given, barred;
    int have[3]; /* cells in each part */
    int depth;
    int sure; /* whether the caller knows no more sets within the two parts */
} Node;

typedef struct {
    const satdoku_hitting *wanted;
    Level *levels; /* size + 1 of them */
    int8_t *room;  /* see `room` */
    uint64_t first; /* the places of part 0 */
    int place[SATDOKU_MOST_CELLS], cell[2][64];
    int64_t nodes;
} Search;

static int size_of(uint64_t cells) { return __builtin_popcountll(cells); }

/* Cells and places ----------------------------------------------------------------------------- */

static void place_cells(Search *s)
{
    int used[2] = {0, 0};
    for (int part = 0; part < 3; part++)
        for (int c = 0; c < s->wanted->cells; c++)
            if (s->wanted->part[c] == part) {
                int side = part == 2;
                s->place[c] = 64 * side + used[side];
                s->cell[side][used[side]++] = c;
                if (!part) s->first |= 1ull << s->place[c];
            }
}

static Split split_of(const Search *s, satdoku_set set)
{
    uint64_t word[2] = {0, 0};
    for (int half = 0; half < 2; half++)
        for (uint64_t left = set.word[half]; left; left &= left - 1) {
            int c = 64 * half + __builtin_ctzll(left);
            if (c < s->wanted->cells) word[s->place[c] / 64] |= 1ull << s->place[c] % 64;
        }
    return (Split){word[0], word[1]};
}

static satdoku_set set_of(const Search *s, Split split)
{
    satdoku_set set = {{0, 0}};
    const uint64_t word[2] = {split.pair, split.last};
    for (int side = 0; side < 2; side++)
        for (uint64_t left = word[side]; left; left &= left - 1) {
            int c = s->cell[side][__builtin_ctzll(left)];
            set.word[c / 64] |= 1ull << c % 64;
        }
    return set;
}

/* Every cell of the last part. */
static uint64_t whole_last(const Search *s)
{
    uint64_t cells = 0;
    for (int c = 0; c < s->wanted->cells; c++)
        if (s->place[c] >= 64) cells |= 1ull << (s->place[c] - 64);
    return cells;
}

/* How many cells may follow -------------------------------------------------------------------- */

static int8_t *room_at(const Search *s, int a, int b, int c)
{
    int side = s->wanted->size + 2;
    return s->room + ((size_t)a * side + b) * side + c;
}

/* With a, b and c cells in the parts: how many more there may be in parts 0 and 1 together, -1 if no
 * hitting set that is wanted has so many in each. */
static int room(const Search *s, const int have[3])
{
    return *room_at(s, have[0], have[1], have[2]);
}

static int fill_room(Search *s)
{
    int size = s->wanted->size, side = size + 2, of[3] = {0, 0, 0};
    for (int c = 0; c < s->wanted->cells; c++) of[s->wanted->part[c]]++;
    s->room = malloc((size_t)side * side * side);
    if (!s->room) return 0;
    memset(s->room, -1, (size_t)side * side * side);
    for (int a = size; a >= 0; a--)
        for (int b = size - a; b >= 0; b--)
            for (int c = size - a - b; c >= 0; c--) {
                int most = -1;
                if (a + b + c == size && a <= of[0] && b <= of[1] && c <= of[2]
                    && c >= a + s->wanted->strict[0] && c >= b + s->wanted->strict[1])
                    most = 0;
                const int after[] = {*room_at(s, a + 1, b, c) + 1, *room_at(s, a, b + 1, c) + 1,
                                     *room_at(s, a, b, c + 1)};
                for (int i = 0; i < 3; i++)
                    if ((i == 2 || after[i] > 0) && after[i] > most) most = after[i];
                *room_at(s, a, b, c) = (int8_t)most;
            }
    return 1;
}

/* The cells that may follow: not barred, and in a part that may have one more. */
static Split open_cells(const Search *s, const Node *node)
{
    Split open = {0, 0};
    int after[3];
    for (int part = 0; part < 3; part++) {
        memcpy(after, node->have, sizeof after);
        after[part]++;
        if (room(s, after) < 0) continue;
        if (part == 2) open.last = ~0ull;
        else open.pair |= part ? ~s->first : s->first;
    }
    return (Split){open.pair & ~node->barred.pair, open.last & ~node->barred.last};
}

/* Levels --------------------------------------------------------------------------------------- */

static int reserve(void **items, int64_t *room, int64_t wanted, size_t size)
{
    if (wanted <= *room) return 1;
    int64_t more = wanted < 256 ? 512 : 2 * wanted;
    void *moved = realloc(*items, (size_t)more * size);
    if (!moved) return 0;
    *items = moved, *room = more;
    return 1;
}

static int reserve_level(Level *level, int64_t pairs, int64_t others)
{
    return reserve((void **)&level->pairs, &level->pair_room, pairs, sizeof(uint64_t))
           && reserve((void **)&level->others, &level->other_room, others, sizeof(Split));
}

static int append(Level *level, Split set)
{
    if (!reserve_level(level, level->pair_count + 1, level->other_count + 1)) return 0;
    if (set.last) level->others[level->other_count++] = set;
    else level->pairs[level->pair_count++] = set.pair;
    return 1;
}

/* The sets of a level that a cell leaves, as the next level. */
static int descend(const Level *from, Split bit, Level *to)
{
    if (!reserve_level(to, from->pair_count, from->other_count)) return 0;
    int64_t pairs = 0, others = 0;
    for (int64_t i = 0; i < from->pair_count; i++) {
        uint64_t set = to->pairs[pairs] = from->pairs[i];
        pairs += !(set & bit.pair);
    }
    for (int64_t i = 0; i < from->other_count; i++) {
        uint64_t pair = from->others[i].pair, last = from->others[i].last;
        to->others[others].pair = pair, to->others[others].last = last; /* in registers: twice as fast */
        others += !((pair & bit.pair) | (last & bit.last));
    }
    to->pair_count = pairs, to->other_count = others;
    return 1;
}

/* Nodes ---------------------------------------------------------------------------------------- */

/* What is known of the sets at a node: a smallest one, and disjoint ones. */
typedef struct {
    Split choice;
    int smallest, disjoint;
    Split used;
} Survey;

/* Look at the sets within the two parts; those of fewest cells come first anyway, by and large. */
static void survey_pairs(const Level *level, uint64_t open, Survey *found)
{
    for (int64_t i = 0; i < level->pair_count; i++) {
        uint64_t set = level->pairs[i] & open;
        int size = size_of(set);
        if (size < found->smallest) found->smallest = size, found->choice = (Split){set, 0};
        if (!(set & found->used.pair)) found->used.pair |= set, found->disjoint++;
    }
}

static void survey_others(const Level *level, Split open, Survey *found)
{
    int choose = !level->pair_count;
    for (int64_t i = 0; i < level->other_count; i++) {
        Split set = {level->others[i].pair & open.pair, level->others[i].last & open.last};
        int size = size_of(set.pair) + size_of(set.last);
        if (!size) found->smallest = 0;
        if (choose && size < found->smallest) found->smallest = size, found->choice = set;
        if (!((set.pair & found->used.pair) | (set.last & found->used.last))) {
            found->used.pair |= set.pair, found->used.last |= set.last;
            found->disjoint++;
        }
    }
}

/* Whether the sets may be hit by the cells that may follow, as far as this tells. */
static int may_be_hit(const Search *s, const Node *node, Survey *found)
{
    const Level *level = s->levels + node->depth;
    Split open = open_cells(s, node);
    *found = (Survey){{0, 0}, NONE, 0, {0, 0}};
    survey_pairs(level, open.pair, found);
    if (!found->smallest || found->disjoint > room(s, node->have)) return 0;
    survey_others(level, open, found);
    return found->smallest && found->disjoint <= s->wanted->size - node->depth;
}

/* Whether the sets within the two parts that a cell leaves have a cell in common, if one cell more
 * may be there, or there are none, if none may. It saves most of the last levels there. */
static int one_may_do(const Level *level, uint64_t bit, uint64_t open, int more)
{
    uint64_t common = more ? open & ~bit : 0;
    for (int64_t i = 0; i < level->pair_count; i++)
        if (!(level->pairs[i] & bit) && !(common &= level->pairs[i])) return 0;
    return 1;
}

/* Ask for a set that the cells do not hit, and add it at this node and those above it: 1, or 0 if
 * there is none. */
static int ask(Search *s, int depth, Split givens)
{
    satdoku_set unhit;
    if (!s->wanted->ask) return 0;
    int answer = s->wanted->ask(s->wanted->context, set_of(s, givens), &unhit);
    if (answer <= 0) return answer;
    Split set = split_of(s, unhit);
    if ((set.pair & givens.pair) | (set.last & givens.last)) return SATDOKU_STOPPED;
    for (int d = 0; d <= depth; d++)
        if (!append(s->levels + d, set)) return SATDOKU_NO_MEMORY;
    return 1;
}

/* Learn what the two parts alone or all cells of the node do not hit: 1 for a new set, 0 for none. */
static int learn(Search *s, Node *node)
{
    const Level *level = s->levels + node->depth;
    if (!level->pair_count && !node->sure) {
        int answer = ask(s, node->depth, (Split){node->given.pair, whole_last(s)});
        if (answer) return answer;
        node->sure = 1;
    }
    if (level->pair_count || level->other_count) return 0;
    int answer = ask(s, node->depth, node->given);
    if (answer) return answer;
    answer = s->wanted->found(s->wanted->context, set_of(s, node->given), set_of(s, node->barred));
    return answer < 0 ? answer : 0;
}

/* The cells of a set, those in the largest number of sets first: barred, they weigh most. */
static int in_order(const Level *level, Split set, Split order[128])
{
    int count = 0;
    int64_t weight[128];
    for (; set.pair | set.last; count++) {
        Split bit = {set.pair & -set.pair, set.pair ? 0 : set.last & -set.last};
        set.pair &= ~bit.pair, set.last &= ~bit.last;
        int64_t sets = 0;
        for (int64_t i = 0; i < level->pair_count; i++) sets += !!(level->pairs[i] & bit.pair);
        for (int64_t i = 0; !level->pair_count && i < level->other_count; i++)
            sets += !!((level->others[i].pair & bit.pair) | (level->others[i].last & bit.last));
        int at = count;
        for (; at && weight[at - 1] < sets; at--) weight[at] = weight[at - 1], order[at] = order[at - 1];
        weight[at] = sets, order[at] = bit;
    }
    return count;
}

static int visit(Search *s, Node node);

static int branch(Search *s, Node node, Split choice)
{
    Split order[128];
    Level *level = s->levels + node.depth;
    int count = in_order(level, choice, order);
    for (int i = 0; i < count; i++) {
        Split bit = order[i];
        Node next = node;
        next.given.pair |= bit.pair, next.given.last |= bit.last, next.depth++;
        next.have[bit.last ? 2 : !(bit.pair & s->first)]++;
        int more = room(s, next.have);
        if (more >= 0 && (more > 1 || one_may_do(level, bit.pair, ~node.barred.pair, more))) {
            if (!descend(level, bit, level + 1)) return SATDOKU_NO_MEMORY;
            int answer = visit(s, next);
            if (answer < 0) return answer;
        }
        node.barred.pair |= bit.pair, node.barred.last |= bit.last;
    }
    return 0;
}

static int visit(Search *s, Node node)
{
    const satdoku_hitting *wanted = s->wanted;
    Survey found;
    if (++s->nodes % PATIENCE == 0 && wanted->poll(wanted->context) < 0) return SATDOKU_STOPPED;
    for (;;) {
        if (!may_be_hit(s, &node, &found)) return 0;
        int answer = learn(s, &node);
        if (answer < 0) return answer;
        if (!answer) break;
    }
    return found.smallest == NONE ? 0 : branch(s, node, found.choice);
}

/* The whole ------------------------------------------------------------------------------------ */

static int begin(Search *s, const satdoku_set *sets, int64_t count, Node *root)
{
    const satdoku_hitting *wanted = s->wanted;
    place_cells(s);
    s->levels = calloc((size_t)wanted->size + 2, sizeof *s->levels);
    if (!s->levels || !fill_room(s)) return SATDOKU_NO_MEMORY;
    *root = (Node){split_of(s, wanted->given), split_of(s, wanted->barred), {0, 0, 0}, 0, 0};
    root->have[0] = size_of(root->given.pair & s->first);
    root->have[1] = size_of(root->given.pair & ~s->first);
    root->have[2] = size_of(root->given.last);
    root->depth = root->have[0] + root->have[1] + root->have[2];
    if (root->depth > wanted->size || room(s, root->have) < 0) return 0;
    for (int64_t i = 0; i < count; i++) {
        Split set = split_of(s, sets[i]);
        if (!((set.pair & root->given.pair) | (set.last & root->given.last))
            && !append(s->levels + root->depth, set))
            return SATDOKU_NO_MEMORY;
    }
    return 1;
}

int64_t satdoku_hit(const satdoku_hitting *wanted, const satdoku_set *sets, int64_t count)
{
    Search search = {.wanted = wanted};
    Node root;
    int answer = begin(&search, sets, count, &root);
    if (answer > 0) answer = visit(&search, root);
    for (int d = 0; search.levels && d < wanted->size + 2; d++) {
        free(search.levels[d].pairs);
        free(search.levels[d].others);
    }
    free(search.levels);
    free(search.room);
    return answer < 0 ? answer : search.nodes;
}

int satdoku_hitting_runs(void)
{
#if NEEDS_POPCNT
    return __builtin_cpu_supports("popcnt");
#else
    return 1;
#endif
}

const char *satdoku_hitting_fault(const satdoku_hitting *wanted)
{
    int of[3] = {0, 0, 0};
    for (int c = 0; c < wanted->cells; c++) {
        if (wanted->part[c] > 2) return "part: expected 0, 1 or 2";
        of[wanted->part[c]]++;
    }
    if (of[0] + of[1] > 64 || of[2] > 64) return "parts: expected 64 cells at most in the last "
                                                 "and in the two others";
    if (wanted->size < 0 || wanted->size > wanted->cells) return "size: expected 0 to the cells";
    if (wanted->size > MOST_SIZE) return "size: expected 120 at most";
    for (int part = 0; part < 2; part++)
        if (wanted->strict[part] < 0 || wanted->strict[part] > 1) return "strict: expected 0 or 1";
    return NULL;
}
