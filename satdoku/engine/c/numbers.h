/* Sizes, limits and small tables that the parts of the engine share, for one width of vectors.
 *
 * Invariant: expects LANES, and includes nothing. */
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#elif HAS_VECTORS
#define UNROLL _Pragma("GCC unroll 64")
#else
#define UNROLL
#endif

/* 64-bit words of a vector; and vectors that CHUNKS lanes take in a buffer, an odd number, or the words
 * of one place would share a cache set. */
#define CHUNKS (LANES / 64)
#define PITCH(words) ((words) | 1)
#define MOST_FEW (LANES / 4) /* puzzles of a search of few */
#define MANY (LANES / 8)     /* lanes that are worth a pass over all vectors */

enum { CELLS9 = 81, TRIADS9 = 54, WORDS9 = 12, DEPTH9 = 2 * TRIADS9 }; /* of 9x9 */
enum { LAST_CELLS = CELLS9 - 64 };         /* in the second word of a plane of 81 bits */
enum { LAST_MASK = (1 << LAST_CELLS) - 1 };
enum { CODES9 = 6 };                       /* words of a grid's digits as numbers */
enum { DIGIT_BITS = 4, BAND_BITS = 7 };    /* numbers of triads of a digit, of a band */
enum { PAIRS9 = 36, TRIPLES9 = 84 };       /* sets of two digits, of three */
enum { MOST_CAGED = 5 };                   /* cells of a cage that is checked over permutations */
enum { SUMS9 = 28 };                       /* sums of up to three digits, from 0 */
enum { CLASSES = 4 };                      /* group sizes that branching distinguishes: 2, 3, 4, more */
enum { POOL_BYTES = 1 << 26 };             /* all stacks together; large boards use fewer lanes */
enum { SINGLES = 5 };                      /* classic puzzles that are searched one by one */
enum { FEW_PAIRS = 4, MANY_PAIRS = 6 };    /* of a candidate, besides rows, columns and boxes */
enum { PATIENCE = 40 };                    /* percent of lanes that may change when a round ends */
enum { FIRST_ROOM = 1 << 10 };             /* nodes in the pool of a search of few puzzles */
enum { SIZE_BITS = 5 };                    /* numbers of candidates of a group */
enum { COSTS = 16 * (32 + SIZE_BITS) };    /* of a choice: a logarithm in sixteenths */
enum { FIRST_RESTART = 40 };               /* rounds until a search begins anew; each time 4 times more */
enum { SPLITS = 3 };                       /* in a row before a lane is propagated, if others idle */
#define NEVER UINT64_MAX /* nodes after which a search does not pause */

/* Sets of digits numbered by the highest digit, then by the next. */
#define PAIR_OF(a, b) ((b) * ((b) - 1) / 2 + (a))                            /* a < b */
#define TRIPLE_OF(a, b, c) ((c) * ((c) - 1) * ((c) - 2) / 6 + PAIR_OF(a, b)) /* a < b < c */

/* The places of two digits in a set of four or five, then those of the others. */
static const uint8_t SPLITS4[6][4] = {
    {0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1},
};
static const uint8_t SPLITS5[10][5] = {
    {0, 1, 2, 3, 4}, {0, 2, 1, 3, 4}, {0, 3, 1, 2, 4}, {0, 4, 1, 2, 3}, {1, 2, 0, 3, 4},
    {1, 3, 0, 2, 4}, {1, 4, 0, 2, 3}, {2, 3, 0, 1, 4}, {2, 4, 0, 1, 3}, {3, 4, 0, 1, 2},
};
