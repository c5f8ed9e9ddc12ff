/* The engine for one width of vectors, and its table.
 *
 * Invariant: a file a target includes this once and sees no other target, so the names here are plain.
 * It says the name of its TABLE, its LANES and, beyond those that every processor of its kind has, the
 * FEATURES that its instructions need; AVX512 if they are those of AVX-512; and NARROW, the table in
 * which a search of few puzzles begins, if that is another. */
#include "../../runtime/targets.h"

#include "kernel.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if X86
#include <immintrin.h>
#elif WASM
#include <wasm_simd128.h>
#endif

#include "numbers.h"
#include "codec.h"
#include "pool.h"

BEGIN_TARGET(FEATURES)
#include "simd.h"
#include "transpose.h"
#include "codec9.h"
#include "classic.h"
#include "boxes.h"
#include "generic.h"
#include "automata.h"
#include "cages.h"
#include "sums.h"
#include "bounds.h"
#include "ranks.h"
#include "clues.h"
#include "search.h"
#include "single.h"
#include "team.h"

/* The search of few puzzles that is paused. Returns 0 if memory ran out. */
static int open_paused(Paused *p, const satdoku_plan *plan, const satdoku_job *job)
{
    return open_pool(&p->pool, plan, job);
}
END_TARGET

const Target TABLE = {
    .solve = solve, .propagate = fixpoints, .advance = advance, .open = open_paused,
    .close = close_paused, .team = search_team, .dismiss = dismiss_team,
};
