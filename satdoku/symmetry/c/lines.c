/* The canonical form under the whole group of a board, by refinement and search.
 *
 * Invariant: if all rows differ in colour, and all columns, the colours are an order, and the order
 * is the form. If colours tie, each line of one tied class in turn is made different, and the best
 * outcome counts. Outcomes that agree show a symmetry of the puzzle; what it maps to places already
 * searched is not searched again. (Individualisation and refinement: McKay and Piperno, Practical
 * graph isomorphism II, 2014.) */
#include "colours.h"

#include <string.h>

enum { MAX_GENERATORS = 255 };

typedef struct {
    Puzzle puzzle;
    Colours colours[SATDOKU_MAX_LINES + 1]; /* of each level of the search */
    uint64_t key[SATDOKU_MAX_LINES + 1];    /* of each level of the best path */
    Lines path, best_path;                  /* the lines chosen, level by level */
    int found, best_depth, mirrored;
    Lines best_order;
    uint8_t best[MAX_CELLS];
    int generators;
    Lines generator[MAX_GENERATORS]; /* symmetries of the puzzle: line i goes to [i] */
} CanonicalSearch;

/* The rows (side 0) or columns (side 1) by colour within their band, bands by their first line. */
static void sort_side(const Puzzle *p, const Colours *c, int side, uint8_t *order)
{
    int height = p->height[side];
    for (int first = 0; first < p->n; first += height) {
        uint8_t band[SATDOKU_MAX_SIZE];
        for (int k = 0; k < height; k++) {
            int line = side * p->n + first + k, at = k;
            for (; at && c->line[band[at - 1]] > c->line[line]; at--) band[at] = band[at - 1];
            band[at] = (uint8_t)line;
        }
        int at = first;
        for (; at && c->line[order[at - height]] > c->line[band[0]]; at -= height)
            memcpy(order + at, order + at - height, (size_t)height);
        memcpy(order + at, band, (size_t)height);
    }
}

/* The grid with lines order[0..n-1] as rows and order[n..2n-1] as columns, digits renamed in the
 * order in which they come. */
static void write_grid(const Puzzle *p, const uint8_t *order, uint8_t *grid)
{
    uint8_t name[SATDOKU_MAX_SIZE + 1] = {0}, next = 1, place[SATDOKU_MAX_SIZE];
    for (int j = 0; j < p->n; j++) place[j] = (uint8_t)(order[p->n + j] % p->n);
    for (int d = 1; d <= p->n && !p->free_digits; d++) name[d] = (uint8_t)d;
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            int digit = p->content[order[i]][place[j]];
            if (digit && !name[digit]) name[digit] = next++;
            *grid++ = name[digit];
        }
}

/* The grid that the colours order, and the order. If rows and columns may change places and even
 * their colours agree, it is the lesser of two grids. Returns whether both are the same. */
static int order_grid(const Puzzle *p, const Colours *c, uint8_t *order, uint8_t *grid)
{
    Lines other;
    uint8_t mirror[MAX_CELLS];
    uint64_t sum[2] = {0, 0};
    size_t n = (size_t)p->n;
    for (int i = 0; i < p->lines; i++) sum[i >= p->n] += c->line[i];
    int turn = p->transposable && sum[1] < sum[0];
    sort_side(p, c, turn, order);
    sort_side(p, c, !turn, order + n);
    write_grid(p, order, grid);
    if (!p->transposable || sum[0] != sum[1]) return 0;
    memcpy(other, order + n, n);
    memcpy(other + n, order, n);
    write_grid(p, other, mirror);
    int comparison = memcmp(mirror, grid, n * n);
    if (comparison < 0) {
        memcpy(grid, mirror, n * n);
        memcpy(order, other, 2 * n);
    }
    return comparison == 0;
}

/* The outcome equals the best one, so a symmetry maps the best path to this one. Returns the level
 * where they part: what lies below it on this side has been seen on the other. */
static int learn_symmetry(CanonicalSearch *s, int level, const uint8_t *order)
{
    Lines image;
    int part = 0;
    for (int i = 0; i < s->puzzle.lines; i++) image[s->best_order[i]] = order[i];
    while (part < level && s->path[part] == s->best_path[part]) part++;
    for (int i = 0; i <= part; i++)
        if (image[s->best_path[i]] != s->path[i]) return level - 1;
    if (s->generators < MAX_GENERATORS)
        memcpy(s->generator[s->generators++], image, sizeof image);
    return part;
}

static int finish_path(CanonicalSearch *s, int level)
{
    Lines order = {0};
    uint8_t grid[MAX_CELLS];
    size_t size = (size_t)(s->puzzle.n * s->puzzle.n);
    int mirrored = order_grid(&s->puzzle, &s->colours[level], order, grid);
    int comparison = s->found ? memcmp(grid, s->best, size) : -1;
    if (comparison > 0) return level - 1;
    if (comparison == 0) return learn_symmetry(s, level, order);
    memcpy(s->best, grid, size);
    memcpy(s->best_order, order, sizeof order);
    memcpy(s->best_path, s->path, sizeof s->path);
    s->best_depth = level;
    s->mirrored = mirrored;
    s->found = 1;
    return level - 1;
}

static int root_of(const uint8_t *parent, int i)
{
    while (parent[i] != i) i = parent[i];
    return i;
}

/* The orbits of lines under the known symmetries that fix the first `level` lines of a path. */
static void find_orbits(const CanonicalSearch *s, const uint8_t *path, int level, uint8_t *parent)
{
    for (int i = 0; i < s->puzzle.lines; i++) parent[i] = (uint8_t)i;
    for (int g = 0; g < s->generators; g++) {
        const uint8_t *image = s->generator[g];
        int fixed = 0;
        while (fixed < level && image[path[fixed]] == path[fixed]) fixed++;
        for (int i = 0; i < s->puzzle.lines && fixed == level; i++)
            parent[root_of(parent, i)] = (uint8_t)root_of(parent, image[i]);
    }
}

/* Whether a symmetry maps an earlier member to member k. */
static int seen_alike(const CanonicalSearch *s, int level, const uint8_t *member, int k)
{
    Lines parent;
    if (!s->generators) return 0;
    find_orbits(s, s->path, level, parent);
    for (int i = 0; i < k; i++)
        if (root_of(parent, member[i]) == root_of(parent, member[k])) return 1;
    return 0;
}

/* Search below a node. Returns the level of the node that goes on. */
static int search(CanonicalSearch *s, int level)
{
    Colours *c = &s->colours[level];
    Lines member;
    int ties = refine(&s->puzzle, c);
    uint64_t key = key_of(&s->puzzle, c, ties);
    if (s->found && key > s->key[level]) return level - 1;
    if (s->found && key < s->key[level]) s->found = 0;
    s->key[level] = key;
    if (!ties || level == s->puzzle.lines) return finish_path(s, level); /* the second never */
    int count = tied_class(&s->puzzle, c, member);
    for (int k = 0; k < count; k++) {
        if (seen_alike(s, level, member, k)) continue;
        s->path[level] = member[k];
        c[1] = *c;
        c[1].line[member[k]] = mix(c->line[member[k]] + CHOSEN);
        int back = search(s, level + 1);
        if (back < level) return back;
    }
    return level - 1;
}

/* The order of the puzzle's symmetry group is the product of the orbits of the best path's lines,
 * each under the symmetries that fix the lines before. */
static void write_orbits(const CanonicalSearch *s, uint8_t *orbits)
{
    Lines parent;
    memset(orbits, 1, (size_t)s->puzzle.lines + 1);
    orbits[s->puzzle.lines] = (uint8_t)(1 + s->mirrored);
    for (int level = 0; level < s->best_depth; level++) {
        find_orbits(s, s->best_path, level, parent);
        int count = 0, root = root_of(parent, s->best_path[level]);
        for (int i = 0; i < s->puzzle.lines; i++) count += root_of(parent, i) == root;
        orbits[level] = (uint8_t)count;
    }
}

const char *satdoku_board_fault(const satdoku_board *board)
{
    int n = board->size, height = board->box_rows, width = board->box_columns;
    if (n < 1 || n > SATDOKU_MAX_SIZE) return "size: expected 1 to 25";
    if (height < 1 || width < 1 || n % height || n % width)
        return "box_rows, box_columns: expected divisors of the size";
    if (board->transposable && height != width)
        return "transposable: expected as many box_rows as box_columns";
    return NULL;
}

int64_t satdoku_by_lines(const satdoku_board *board, int64_t count, const uint8_t *puzzles,
                      uint8_t *forms, uint8_t *orbits)
{
    CanonicalSearch s;
    Puzzle *p = &s.puzzle;
    int cells = board->size * board->size;
    p->n = board->size;
    p->lines = 2 * p->n;
    p->height[0] = board->box_rows;
    p->height[1] = board->box_columns;
    p->transposable = board->transposable;
    p->free_digits = board->free_digits;
    for (int64_t i = 0; i < count; i++) {
        s.found = s.generators = 0;
        if (!load_puzzle(p, puzzles + i * cells)) return i;
        start_colours(p, &s.colours[0]);
        search(&s, 0);
        memcpy(forms + i * cells, s.best, (size_t)cells);
        if (orbits) write_orbits(&s, orbits + i * (p->lines + 1));
    }
    return count;
}
