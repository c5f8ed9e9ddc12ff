/* The steps of a search on states of planes. A contradiction shows at the propagation.
 *
 * Included once for each target. */

/* The peers of these cells. */
INLINE plane peers_of(const tree_planes *planes, plane cells)
{
    plane peers = {0};
    for (uint32_t i = 0; i < 2; i++)
        for (uint64_t bits = cells[i]; bits; bits &= bits - 1)
            peers |= planes->peers[64 * i + (uint32_t)__builtin_ctzll(bits)];
    return peers;
}

/* These cells hold no other digit. Without branches: which digits these were is hard to predict. */
INLINE void decide(planes_state *s, uint32_t digit, plane cells)
{
    const plane own = s->left[digit];
    uint32_t changed = 0;
    for (uint32_t other = 0; other < SIDE; other++) {
        const plane lost = s->left[other] & cells;
        s->left[other] ^= lost;
        changed |= (uint32_t)!is_empty(lost) << other;
    }
    s->left[digit] = own;
    s->changed |= changed & ~(1u << digit);
}

/* What there is of houses whose three parts are so many bits apart: at the first bit of each whether
 * there is a cell, and whether there are two. */
typedef struct {
    plane one, two;
} parts;

INLINE parts join(parts p, int apart)
{
    const parts q = {p.one >> apart, p.two >> apart}, r = {p.one >> 2 * apart, p.two >> 2 * apart};
    const plane pair = p.one | q.one;
    return (parts){pair | r.one, p.two | q.two | r.two | (p.one & q.one) | (r.one & pair)};
}

/* The bands of columns: the second is beside the first in a word, the third in the other word. */
INLINE parts join_bands(parts p)
{
    const plane b = p.one >> 32, c = {p.one[1], p.one[0]}, other = {p.two[1], p.two[0]};
    const plane pair = p.one | b;
    return (parts){pair | c, p.two | p.two >> 32 | other | (p.one & b) | (c & pair)};
}

/* The cells of rows, columns and boxes where this digit has one place; 0 if it has none in a house. */
INLINE int single_cells(plane left, plane *found)
{
    const parts cells = {left, (plane){0}}, triads = join(cells, 1), rows = join(triads, 3),
                boxes = join(triads, 9), columns = join_bands(join(cells, 9));
    const plane row = ROWS & ~rows.two, box = BOXES & ~boxes.two, column = COLUMNS & ~columns.two,
                wide = (box << 3) - box, tall = column | column << 9 | column << 18;
    const uint64_t low = tall[0];
    *found = left & (((row << 9) - row) | wide | wide << 9 | wide << 18 | (plane){low | low << 32, low});
    return is_empty((ROWS & ~rows.one) | (BOXES & ~boxes.one) | (COLUMNS & ~columns.one));
}

/* The same for the other clauses of the digit. */
static int other_cells(const tree_planes *planes, const planes_state *s, uint32_t digit, plane *found)
{
    for (uint32_t i = 0; i < planes->others; i++) {
        const sole *clause = planes->clause + planes->other[i];
        if (clause->digit != digit) continue;
        const plane left = s->left[digit] & clause->cells;
        if (is_empty(left)) return 0;
        if (is_single(left)) *found |= left;
    }
    return 1;
}

/* Cells with at least one, two and three digits left. */
typedef struct {
    plane one, two, three;
} levels;

INLINE levels levels_of(const planes_state *s)
{
    levels l = {{0}};
    for (uint32_t digit = 0; digit < SIDE; digit++) {
        l.three |= l.two & s->left[digit];
        l.two |= l.one & s->left[digit];
        l.one |= s->left[digit];
    }
    return l;
}

/* The cells of each digit that have no other one left; 0 if a cell has none. */
INLINE int sole_digits(const planes_state *s, plane *found)
{
    const levels l = levels_of(s);
    const plane cells = l.one & ~(l.two | s->known);
    for (uint32_t digit = 0; digit < SIDE; digit++) found[digit] = s->left[digit] & cells;
    return is_empty(ALL ^ l.one);
}

/* Those that a digit has in a clause alone, too; 0 if a clause has none. */
static int sole_places(const tree_planes *planes, const planes_state *s, uint32_t digit, plane *found)
{
    plane cells;
    if (!single_cells(s->left[digit], &cells) || !other_cells(planes, s, digit, &cells)) return 0;
    *found |= cells & ~s->known;
    return 1;
}

/* These cells hold these digits, and no others; their peers lose them. */
INLINE void put_all(const tree_planes *planes, planes_state *s, const plane *found, plane cells)
{
    s->known |= cells;
    for (uint32_t digit = 0; digit < SIDE; digit++) {
        const plane before = s->left[digit],
                    after = ((before & ~cells) | found[digit]) & ~peers_of(planes, found[digit]);
        s->left[digit] = after;
        s->changed |= (uint32_t)!is_empty(before ^ after) << digit;
    }
}

static int planes_propagate(const tree_planes *planes, tree_row *state)
{
    planes_state *const s = of(state);
    plane found[SIDE];
    while (sole_digits(s, found)) {
        plane once = {0}, twice = once;
        for (uint32_t left = s->changed; left; left &= left - 1) {
            const uint32_t digit = (uint32_t)__builtin_ctz(left);
            if (!sole_places(planes, s, digit, found + digit)) return 0;
        }
        for (uint32_t digit = 0; digit < SIDE; digit++) {
            twice |= once & found[digit];
            once |= found[digit];
        }
        if (!is_empty(twice)) return 0;
        s->changed = 0;
        if (is_empty(once)) return 1;
        put_all(planes, s, found, once);
    }
    return 0;
}

/* All that follows from cells with one digit has been struck. */
static void planes_settled(planes_state *s)
{
    const levels l = levels_of(s);
    s->known = l.one & ~l.two;
    s->changed = 0;
}

static void planes_begin(const tree_planes *planes, planes_state *s, const uint8_t *digits)
{
    plane given[SIDE + 1] = {{0}};
    for (uint32_t cell = 0; cell < CELLS; cell++) put(given + digits[cell], cell);
    for (uint32_t digit = 0; digit < SIDE; digit++)
        s->left[digit] = planes->begin[digit] & (given[0] | given[digit + 1]);
    s->known = (plane){0};
    s->changed = (1u << SIDE) - 1;
}

/* The first variable of a clause that is not false; UINT32_MAX if there is none. */
static uint32_t first_left(const tree_planes *planes, const planes_state *s, uint32_t clause)
{
    if (clause < CELLS) {
        for (uint32_t digit = 0; digit < SIDE; digit++)
            if (has(s->left + digit, clause)) return clause * SIDE + digit;
        return UINT32_MAX;
    }
    const sole *const only = planes->clause + (clause - CELLS);
    const uint32_t place = first_place(s->left[only->digit] & only->cells);
    return place < PLACES ? cell_in(place) * SIDE + only->digit : UINT32_MAX;
}

static int planes_take(const tree_planes *planes, tree_row *rest, tree_row *child, uint32_t clause)
{
    planes_state *const s = of(rest), *const next = of(child);
    const uint32_t variable = first_left(planes, s, clause), digit = variable % SIDE;
    if (variable == UINT32_MAX) return 0;
    plane cell = {0};
    put(&cell, variable / SIDE);
    *next = *s;
    decide(next, digit, cell);
    s->left[digit] &= ~cell;
    s->changed |= 1u << digit;
    return 1;
}

static int planes_digits(const tree_row *state, uint8_t *digits)
{
    const planes_state *const s = at(state);
    if (!is_empty(ALL ^ s->known)) return 0;
    for (uint32_t digit = 0; digit < SIDE; digit++)
        for (uint32_t i = 0; i < 2; i++)
            for (uint64_t bits = s->left[digit][i]; bits; bits &= bits - 1) {
                const uint32_t place = 64 * i + (uint32_t)__builtin_ctzll(bits);
                digits[cell_in(place)] = (uint8_t)(digit + 1);
            }
    return 1;
}

static uint32_t planes_left(const tree_row *state, uint32_t cell)
{
    const planes_state *const s = at(state);
    uint32_t left = 0;
    for (uint32_t digit = 0; digit < SIDE; digit++) left += (uint32_t)has(s->left + digit, cell);
    return has(&s->known, cell) ? 0 : left;
}

static uint32_t planes_open(const tree_planes *planes, const tree_row *state)
{
    const planes_state *const s = at(state);
    uint32_t open = 4 * (CELLS - size_of(s->known)); /* those of its cell, row, column and box */
    for (uint32_t i = 0; i < planes->others; i++) {
        const sole *const clause = planes->clause + planes->other[i];
        open += (uint32_t)is_empty(s->left[clause->digit] & s->known & clause->cells);
    }
    return open;
}

/* The digits left in a place, a bit each. */
INLINE uint32_t digits_at(const planes_state *s, uint32_t place)
{
    uint32_t digits = 0;
    for (uint32_t digit = 0; digit < SIDE; digit++)
        digits |= (uint32_t)(s->left[digit][place / 64] >> place % 64 & 1) << digit;
    return digits;
}

/* Of the cells with two digits left the one whose digits do most: how many of these cells lose a
 * digit if the one of it is true, times how many if the other is. */
static uint32_t strongest(const tree_planes *planes, const planes_state *s, plane pairs)
{
    uint32_t top = 0, best = 0;
    for (uint32_t i = 0; i < 2; i++)
        for (uint64_t bits = pairs[i]; bits; bits &= bits - 1) {
            const uint32_t place = 64 * i + (uint32_t)__builtin_ctzll(bits);
            const plane seen = planes->peers[place] & pairs;
            uint32_t product = 1;
            for (uint32_t two = digits_at(s, place); two; two &= two - 1)
                product *= 2 + size_of(s->left[__builtin_ctz(two)] & seen);
            if (product > top) top = product, best = cell_in(place);
        }
    return best;
}

static uint32_t planes_choose(const tree_planes *planes, const tree_row *state)
{
    const planes_state *const s = at(state);
    const levels l = levels_of(s);
    const plane pairs = l.two & ~l.three;
    uint32_t fewest = UINT32_MAX, best = 0;
    if (!is_empty(pairs)) return strongest(planes, s, pairs);
    for (uint32_t i = 0; i < planes->clauses; i++) {
        const plane left = s->left[planes->clause[i].digit] & planes->clause[i].cells;
        if (size_of(left) == 2 && is_empty(left & s->known)) return CELLS + i;
    }
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        const uint32_t left = planes_left(state, cell);
        if (left && left < fewest) fewest = left, best = cell;
    }
    return best;
}
