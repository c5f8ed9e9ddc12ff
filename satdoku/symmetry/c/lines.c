/* The canonical form under the whole group of a board, by refinement and search.
 *
 * Invariant: if all rows differ in colour, and all columns, the colours are an order, and the order
 * is the form. If colours tie, each line of one tied class in turn is made different, and the best
 * outcome counts. Outcomes that agree show a symmetry of the puzzle; what it maps to places already
 * searched is not searched again. (Individualisation and refinement: McKay and Piperno, Practical
 * graph isomorphism II, 2014.) */
#include "colours.h"

enum { MAX_GENERATORS = 255 };

typedef struct {
    Board board;
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

/* The place of each row (side 0) or column (side 1): by rank within its band, bands by their first
 * line. */
INLINE void place_side(Board b, int side, const uint8_t *rank, uint8_t *place)
{
    int height = side ? b.box_columns : b.box_rows, bands = b.size / height;
    uint8_t least[SATDOKU_MAX_SIZE];
    for (int band = 0; band < bands; band++) {
        const uint8_t *own = rank + band * height;
        least[band] = UINT8_MAX;
        for (int i = 0; i < height; i++) least[band] = own[i] < least[band] ? own[i] : least[band];
    }
    for (int band = 0; band < bands; band++) {
        const uint8_t *own = rank + band * height;
        int start = 0;
        for (int other = 0; other < bands; other++) start += height * (least[other] < least[band]);
        for (int i = 0; i < height; i++) {
            int at = start;
            for (int j = 0; j < height; j++) at += own[j] < own[i];
            place[band * height + i] = (uint8_t)at;
        }
    }
}

/* Names of the digits in the order in which they come, from the first cell of each. */
INLINE void name_digits(Board b, const uint16_t *first, uint8_t *name)
{
    for (int d = 1; d <= b.size; d++) {
        name[d] = 1;
        for (int e = 1; e <= b.size; e++) name[d] = (uint8_t)(name[d] + (first[e] < first[d]));
        if (!b.free_digits) name[d] = (uint8_t)d;
    }
}

/* The grid with its lines at their places, rows as columns if `turned`, digits renamed. */
INLINE void write_grid(Board b, const Puzzle *p, const uint8_t *place, int turned, uint8_t *grid)
{
    int n = b.size;
    uint16_t from[SATDOKU_MAX_LINES], at[MAX_CELLS], first[SATDOKU_MAX_SIZE + 1];
    uint8_t name[SATDOKU_MAX_SIZE + 1];
    for (int i = 0; i < 2 * n; i++) from[i] = (uint16_t)(place[i] * ((i < n) == turned ? 1 : n));
    for (int d = 1; d <= n; d++) first[d] = MAX_CELLS;
    for (int i = 0; i < p->givens; i++) {
        Given g = p->given[i];
        at[i] = (uint16_t)(from[g.row] + from[g.column]);
        first[g.digit] = at[i] < first[g.digit] ? at[i] : first[g.digit];
    }
    name_digits(b, first, name);
    memset(grid, 0, (size_t)(n * n));
    for (int i = 0; i < p->givens; i++) grid[at[i]] = name[p->given[i].digit];
}

/* The lines as rows, then the lines as columns. */
INLINE void list_lines(Board b, const uint8_t *place, int turned, uint8_t *order)
{
    for (int i = 0; i < 2 * b.size; i++)
        order[place[i] + ((i < b.size) == turned ? b.size : 0)] = (uint8_t)i;
}

/* The grid that the colours order, and the order. If rows and columns may change places and even
 * their colours agree, it is the lesser of two grids. Returns whether both are the same. */
INLINE int order_grid(Board b, const Puzzle *p, const Colours *c, const uint8_t *rank,
                      uint8_t *order, uint8_t *grid)
{
    Lines place;
    uint64_t sum[2] = {0, 0};
    for (int i = 0; i < 2 * b.size; i++) sum[i >= b.size] += c->line[i];
    int turned = b.transposable && sum[1] < sum[0];
    place_side(b, 0, rank, place);
    place_side(b, 1, rank + b.size, place + b.size);
    write_grid(b, p, place, turned, grid);
    if (order) list_lines(b, place, turned, order);
    if (!b.transposable || sum[0] != sum[1]) return 0;
    uint8_t mirror[MAX_CELLS];
    write_grid(b, p, place, 1, mirror);
    int comparison = memcmp(mirror, grid, (size_t)(b.size * b.size));
    if (comparison < 0) {
        memcpy(grid, mirror, (size_t)(b.size * b.size));
        if (order) list_lines(b, place, 1, order);
    }
    return comparison == 0;
}

/* The outcome equals the best one, so a symmetry maps the best path to this one. Returns the level
 * where they part: what lies below it on this side has been seen on the other. */
static int learn_symmetry(CanonicalSearch *s, int level, const uint8_t *order)
{
    Lines image;
    int part = 0;
    for (int i = 0; i < 2 * s->board.size; i++) image[s->best_order[i]] = order[i];
    while (part < level && s->path[part] == s->best_path[part]) part++;
    for (int i = 0; i <= part; i++)
        if (image[s->best_path[i]] != s->path[i]) return level - 1;
    if (s->generators < MAX_GENERATORS)
        memcpy(s->generator[s->generators++], image, sizeof image);
    return part;
}

static int finish_path(CanonicalSearch *s, int level, const uint8_t *rank)
{
    Lines order = {0};
    uint8_t grid[MAX_CELLS];
    size_t size = (size_t)(s->board.size * s->board.size);
    int mirrored = order_grid(s->board, &s->puzzle, &s->colours[level], rank, order, grid);
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
    for (int i = 0; i < 2 * s->board.size; i++) parent[i] = (uint8_t)i;
    for (int g = 0; g < s->generators; g++) {
        const uint8_t *image = s->generator[g];
        int fixed = 0;
        while (fixed < level && image[path[fixed]] == path[fixed]) fixed++;
        for (int i = 0; i < 2 * s->board.size && fixed == level; i++)
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

/* Search below a node, whose refined colours have `ties` and `rank`. Returns the level of the node
 * that goes on. */
static int search(CanonicalSearch *s, int level, int ties, const uint8_t *rank)
{
    Colours *c = &s->colours[level];
    Lines member, below;
    uint64_t key = key_of(s->board, c, ties);
    if (s->found && key > s->key[level]) return level - 1;
    if (s->found && key < s->key[level]) s->found = 0;
    s->key[level] = key;
    if (!ties || level == 2 * s->board.size) /* the second never */
        return finish_path(s, level, rank);
    int count = tied_class(s->board, c, member);
    for (int k = 0; k < count; k++) {
        if (seen_alike(s, level, member, k)) continue;
        s->path[level] = member[k];
        c[1] = *c;
        c[1].line[member[k]] = mix(c->line[member[k]] + CHOSEN);
        int left = refine(s->board, &s->puzzle, c + 1, below);
        int back = search(s, level + 1, left, below);
        if (back < level) return back;
    }
    return level - 1;
}

/* The order of the puzzle's symmetry group is the product of the orbits of the best path's lines,
 * each under the symmetries that fix the lines before. */
static void write_orbits(const CanonicalSearch *s, uint8_t *orbits)
{
    Lines parent;
    int lines = 2 * s->board.size;
    memset(orbits, 1, (size_t)lines + 1);
    orbits[lines] = (uint8_t)(1 + s->mirrored);
    for (int level = 0; level < s->best_depth; level++) {
        find_orbits(s, s->best_path, level, parent);
        int count = 0, root = root_of(parent, s->best_path[level]);
        for (int i = 0; i < lines; i++) count += root_of(parent, i) == root;
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

/* As `satdoku_by_lines`. Few puzzles need the search. */
INLINE int64_t write_forms(Board b, int64_t count, const uint8_t *puzzles, uint8_t *forms,
                           uint8_t *orbits)
{
    CanonicalSearch s;
    int cells = b.size * b.size;
    Given where[MAX_CELLS] = {{0}};
    list_cells(b, where);
    s.board = b;
    memset(s.puzzle.cells, 0, sizeof s.puzzle.cells);
    for (int64_t i = 0; i < count; i++) {
        Lines rank;
        s.found = s.generators = s.best_depth = 0;
        if (!load_puzzle(b, where, puzzles + i * cells, &s.puzzle)) return i;
        start_colours(b, &s.puzzle, s.colours);
        int ties = refine(b, &s.puzzle, s.colours, rank);
        if (ties) {
            search(&s, 0, ties, rank);
            memcpy(forms + i * cells, s.best, (size_t)cells);
        } else {
            s.mirrored = order_grid(b, &s.puzzle, s.colours, rank, NULL, forms + i * cells);
        }
        if (orbits) write_orbits(&s, orbits + i * (2 * b.size + 1));
    }
    return count;
}

int64_t satdoku_by_lines(const satdoku_board *board, int64_t count, const uint8_t *puzzles,
                      uint8_t *forms, uint8_t *orbits)
{
    static const Board classic = {9, 3, 3, 1, 1};
    if (!memcmp(board, &classic, sizeof classic)) /* the compiler unrolls its loops */
        return write_forms((Board){9, 3, 3, 1, 1}, count, puzzles, forms, orbits);
    return write_forms(*board, count, puzzles, forms, orbits);
}
