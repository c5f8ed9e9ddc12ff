/* Rows, columns and boxes of boards other than 9x9: what classic.h does for one size.
 *
 * Invariant: as there, a sweep leaves in a digit's plane only what survives unit propagation on the
 * digit's own groups and on its lines, given the cells that are decided. A line is what a box shares
 * with a row or a column. Boxes of R x C cells lie R in a band and C in a stack, so the lines of a
 * digit in a band are an R x R matrix, those in a stack a C x C one, with exactly one true entry in
 * every row and column. Nothing is listed: all indices follow from R and C. */

typedef struct {
    int rows, columns; /* of a box; 0: the plan is not of this form */
    V *taken;          /* of each cell: claimed in this sweep */
    V *two, *twos;     /* as in Classic */
    V *rowline;        /* of each row the lines in its boxes, then of each column */
    V *placed;         /* of each box: the digit is decided there */
    V changed, conflict, open;
} Boxed;

/* Whether the plan's groups are those of cells, rows, columns and boxes, in this order. */
static int has_boxes(const satdoku_plan *plan, int rows)
{
    int n = plan->digits, cells = plan->cells, columns = n / rows;
    const int32_t *start = plan->groups.start, *member = plan->groups.member;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int k = 0; k < n; k++) {
                int box = a / rows * rows * n + a % rows * columns + k / columns * n + k % columns;
                int at[] = {cells * k + n * a + b, cells * b + n * a + k, cells * b + n * k + a,
                            cells * b + box};
                for (int kind = 0; kind < 4; kind++) {
                    int g = kind * cells + n * a + b;
                    if (start[g] != n * g || member[n * g + k] != at[kind]) return 0;
                }
            }
    return 1;
}

/* The rows of a box, if the plan is that of such a board with its box-line overlaps; or 0. */
static int find_boxes(const satdoku_plan *plan)
{
    int n = plan->digits, cells = plan->cells;
    if (plan->classic || cells != n * n || plan->groups.lists != 4 * cells
        || plan->groups.members != 4 * cells * n)
        return 0;
    for (int rows = 2; 2 * rows <= n; rows++)
        if (n % rows == 0 && plan->overlaps.lists == 2 * cells * (rows + n / rows)
            && has_boxes(plan, rows))
            return rows;
    return 0;
}

/* Returns 0 if memory ran out. */
static int open_boxes(Boxed *s, const satdoku_plan *plan)
{
    size_t n = (size_t)plan->digits, cells = (size_t)plan->cells;
    s->rows = find_boxes(plan);
    if (!s->rows) return 1;
    s->columns = plan->digits / s->rows;
    s->taken = TAKE_ALIGNED(sizeof(V), (6 * cells + n) * sizeof(V));
    if (!s->taken) return 0;
    s->two = s->taken + cells;
    s->twos = s->two + cells;
    s->rowline = s->twos + cells;
    s->placed = s->rowline + 3 * cells;
    return 1;
}

/* As strike_box in classic.h, for every box. */
INLINE void strike_boxed(Boxed *s, V *plane, int rows, int columns)
{
    int n = rows * columns;
    for (int box = 0; box < n; box++) {
        int first = box / rows * rows * n + box % rows * columns;
        V any = {0};
        for (int i = first; i < first + rows * n; i += n)
            for (int j = i; j < i + columns; j++)
                any = add_both(any, plane[j], minus_any(~(V){0}, s->taken[j], s->twos[j]));
        for (int i = first; i < first + rows * n; i += n) {
            V line = {0};
            for (int j = i; j < i + columns; j++) {
                V x = plane[j] & ~s->taken[j];
                plane[j] = x = x & ~(any & s->twos[j]);
                line |= x;
            }
            s->rowline[i / n * rows + box % rows] = line;
        }
        s->placed[box] = any;
    }
}

/* An entry alone in its line is true, and the others of the line that crosses it there are not. */
INLINE void settle_matrix(Boxed *s, V *entry, int size)
{
    V two_row[SATDOKU_MAX_DIGITS], two_column[SATDOKU_MAX_DIGITS], one_column[SATDOKU_MAX_DIGITS];
    V by_row[SATDOKU_MAX_DIGITS], changed = s->changed, conflict = s->conflict;
    for (int j = 0; j < size; j++) one_column[j] = two_column[j] = by_row[j] = (V){0};
    for (int i = 0; i < size; i++) {
        V one = {0}, two = {0};
        for (int j = 0; j < size; j++) {
            V x = entry[i * size + j];
            two = add_both(two, one, x);
            one |= x;
            two_column[j] = add_both(two_column[j], one_column[j], x);
            one_column[j] |= x;
        }
        for (int j = 0; j < size; j++) {
            V alone = entry[i * size + j] & ~two;
            conflict = add_both(conflict, by_row[j], alone);
            by_row[j] |= alone;
        }
        two_row[i] = two;
        conflict |= ~one;
    }
    for (int j = 0; j < size; j++) conflict |= ~one_column[j];
    for (int i = 0; i < size; i++) {
        V by_column = {0};
        for (int j = 0; j < size; j++)
            by_column = add_minus(by_column, entry[i * size + j], two_column[j]);
        for (int j = 0; j < size; j++) {
            V x = entry[i * size + j];
            V left = minus_both(minus_both(x, by_row[j], two_row[i]), by_column, two_column[j]);
            changed = add_minus(changed, x, left);
            entry[i * size + j] = left;
        }
    }
    s->changed = changed, s->conflict = conflict;
}

/* Join what the lines of rows leave of each column in a box. */
INLINE void join_boxed(Boxed *s, const V *plane, V *columnline, int rows, int columns)
{
    int n = rows * columns;
    for (int c = 0; c < n; c++)
        for (int band = 0; band < columns; band++) {
            V line = {0};
            for (int r = band * rows; r < (band + 1) * rows; r++)
                line = add_both(line, plane[r * n + c], s->rowline[r * rows + c / columns]);
            columnline[c * columns + band] = line;
        }
}

/* As claim_box in classic.h, for every box. */
INLINE void claim_boxed(Boxed *s, V *plane, const V *columnline, int rows, int columns)
{
    int n = rows * columns;
    for (int box = 0; box < n; box++) {
        int band = box / rows, first = band * rows * n + box % rows * columns;
        V one = {0}, many = {0};
        for (int i = first; i < first + rows * n; i += n)
            for (int j = i; j < i + columns; j++) {
                V x = all3(plane[j], s->rowline[i / n * rows + box % rows],
                           columnline[j % n * columns + band]);
                plane[j] = x;
                many = add_both(many, one, x);
                one |= x;
            }
        s->conflict = add_both(s->conflict, many, s->placed[box]);
        for (int i = first; i < first + rows * n; i += n)
            for (int j = i; j < i + columns; j++)
                s->taken[j] = add_minus(s->taken[j], plane[j], many);
    }
}

INLINE void sweep_boxed_plane(Boxed *s, V *plane, int rows, int columns)
{
    V *columnline = s->rowline + rows * columns * rows;
    strike_boxed(s, plane, rows, columns);
    for (int band = 0; band < columns; band++)
        settle_matrix(s, s->rowline + band * rows * rows, rows);
    join_boxed(s, plane, columnline, rows, columns);
    for (int stack = 0; stack < rows; stack++)
        settle_matrix(s, columnline + stack * columns * columns, columns);
    claim_boxed(s, plane, columnline, rows, columns);
}

/* Count the candidates of every cell. */
static void count_boxed(const Boxed *s, const V *alive, V *ones, V *twos)
{
    int n = s->rows * s->columns, cells = n * n;
    memcpy(ones, alive, (size_t)cells * sizeof(V));
    memset(twos, 0, (size_t)cells * sizeof(V));
    for (int i = cells; i < n * cells; i += cells)
        for (int k = 0; k < cells; k++) {
            twos[k] = add_both(twos[k], ones[k], alive[i + k]);
            ones[k] |= alive[i + k];
        }
}

/* As end_sweep in classic.h. */
static void end_boxed(Boxed *s, const V *alive)
{
    int n = s->rows * s->columns;
    V *one = s->rowline, open = {0};
    count_boxed(s, alive, one, s->two);
    for (int k = 0; k < n * n; k++) {
        V twos = s->two[k] & ~s->taken[k];
        s->conflict |= ~one[k];
        open |= s->two[k];
        s->changed = add_minus(s->changed, s->twos[k], twos);
        s->twos[k] = twos;
    }
    s->open = open;
}

/* Boxes of 16x16 are 4 x 4, and the loops over them then have fixed lengths. */
static void sweep_boxed(Boxed *s, V *alive, int downwards)
{
    int n = s->rows * s->columns, cells = n * n;
    memset(s->taken, 0, (size_t)cells * sizeof(V));
    s->changed = (V){0};
    for (int d = 0; d < n; d++) {
        V *plane = alive + cells * (downwards ? n - 1 - d : d);
        if (n == 16 && s->rows == 4) sweep_boxed_plane(s, plane, 4, 4);
        else sweep_boxed_plane(s, plane, s->rows, s->columns);
    }
    end_boxed(s, alive);
}
