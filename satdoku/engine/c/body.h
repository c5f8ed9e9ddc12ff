/* The engine for one width of vectors. Expects TARGET (a suffix) and LANES; kernel.c includes it once
 * for each target. */
#include "simd.h"
#include "transpose.h"
#include "codec9.h"
#include "classic.h"
#include "boxes.h"
#include "generic.h"
#include "automata.h"
#include "cages.h"
#include "sums.h"
#include "clues.h"
#include "search.h"
#include "team.h"
