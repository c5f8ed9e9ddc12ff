/* Between puzzles as bytes and nodes as bits.
 *
 * Invariant: bit digit * cells + cell of a node is set if the cell may hold the digit.
 */

enum { MAX_CELLS = SATDOKU_MAX_CELLS };
enum { MAX_WORDS = (MAX_CELLS * SATDOKU_MAX_DIGITS + 63) / 64, CELL_WORDS = (MAX_CELLS + 63) / 64 };

enum { CODE_BITS = 5 }; /* of a digit as a number, 0 (empty) to 25 */

static const uint64_t ONE_EACH = 0x0101010101010101; /* the low bit of each of eight bytes */

/* OR `bits` bits of `from` into `node` from bit `at` on. The bits of `from` beyond them are zero. */
static inline void put_bits(uint64_t *node, int at, const uint64_t *from, int bits)
{
    int shift = at % 64;
    node += at / 64;
    for (int w = 0; w < (bits + 63) / 64; w++) {
        node[w] |= from[w] << shift;
        if (shift + bits - 64 * w > 64) node[w + 1] |= from[w] >> 1 >> (63 - shift);
    }
}

/* The other way: `bits` bits of `node` from bit `at` on, OR'ed into `to`. */
static inline void add_bits(uint64_t *to, const uint64_t *node, int at, int bits)
{
    int shift = at % 64;
    node += at / 64;
    for (int w = 0, rest = bits; rest > 0; w++, rest -= 64) {
        uint64_t word = node[w] >> shift;
        if (shift + rest > 64) word |= node[w + 1] << 1 << (63 - shift);
        to[w] |= rest < 64 ? word & (((uint64_t)1 << rest) - 1) : word;
    }
}

/* Digits to bit planes, eight at a time: bit `cell` of code[k] is bit k of the cell's digit. The
 * multiplication gathers the low bits of eight bytes in the top byte. Returns 0 if a digit is too
 * large. */
static inline int slice_digits(const uint8_t *digits, int cells, int most,
                               uint64_t code[][CELL_WORDS])
{
    uint64_t large = 0;
    for (int first = 0; first < cells; first += 8) {
        uint64_t bytes = 0;
        memcpy(&bytes, digits + first, cells - first < 8 ? (size_t)(cells - first) : 8);
        large |= (bytes + (uint64_t)(127 - most) * ONE_EACH) | bytes;
        for (int k = 0; k < CODE_BITS; k++) {
            uint64_t bits = ((bytes >> k & ONE_EACH) * 0x0102040810204080) >> 56;
            code[k][first / 64] |= bits << first % 64;
        }
    }
    return !(large & ONE_EACH << 7);
}

/* Digits to a node: a given leaves its cell one candidate. Returns 0 if a digit is too large. */
static int encode_digits(const uint8_t *digits, const satdoku_plan *plan, uint64_t *node)
{
    uint64_t code[CODE_BITS][CELL_WORDS] = {{0}}, may[CELL_WORDS];
    int cells = plan->cells;
    if (!slice_digits(digits, cells, plan->digits, code)) return 0;
    for (int d = 1; d <= plan->digits; d++) {
        for (int w = 0; w < (cells + 63) / 64; w++) {
            uint64_t other = 0, given = 0;
            for (int k = 0; k < CODE_BITS; k++) {
                other |= code[k][w] ^ (0 - (uint64_t)(d >> k & 1));
                given |= code[k][w];
            }
            may[w] = ~(other & given);
        }
        if (cells % 64) may[cells / 64] &= ((uint64_t)1 << cells % 64) - 1;
        put_bits(node, (d - 1) * cells, may, cells);
    }
    return 1;
}

static void encode_marks(const uint8_t *marks, const satdoku_plan *plan, uint64_t *node)
{
    int cells = plan->cells;
    for (int cell = 0; cell < cells; cell++)
        for (int d = 0; d < plan->digits; d++) {
            int i = d * cells + cell;
            node[i / 64] |= (uint64_t)(*marks++ != 0) << i % 64;
        }
}

/* Spread eight bits over eight bytes, each 0 or 1. */
static inline uint64_t spread(uint64_t bits)
{
    uint64_t own = (bits & 0xFF) * ONE_EACH & 0x8040201008040201; /* byte i keeps bit i */
    return (own + 0x7F * ONE_EACH) >> 7 & ONE_EACH;
}

/* A node with one candidate a cell to digits. */
static void decode_digits(const uint64_t *node, const satdoku_plan *plan, uint8_t *digits)
{
    uint64_t code[CODE_BITS][CELL_WORDS] = {{0}};
    int cells = plan->cells;
    for (int d = 1; d <= plan->digits; d++) {
        uint64_t here[CELL_WORDS] = {0};
        add_bits(here, node, (d - 1) * cells, cells);
        for (int k = 0; k < CODE_BITS; k++)
            for (int w = 0; d >> k & 1 && w < (cells + 63) / 64; w++) code[k][w] |= here[w];
    }
    for (int first = 0; first < cells; first += 8) {
        uint64_t bytes = 0;
        for (int k = 0; k < CODE_BITS; k++) bytes |= spread(code[k][first / 64] >> first % 64) << k;
        memcpy(digits + first, &bytes, cells - first < 8 ? (size_t)(cells - first) : 8);
    }
}

static void decode_marks(const uint64_t *node, const satdoku_plan *plan, uint8_t *marks)
{
    int cells = plan->cells;
    for (int cell = 0; cell < cells; cell++)
        for (int i = cell; i < cells * plan->digits; i += cells) *marks++ = node[i / 64] >> i % 64 & 1;
}
