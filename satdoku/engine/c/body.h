/* The engine for one vector target: expects TARGET (a suffix) and LANES, may be included again. */
#include "simd.h"
#include "transpose.h"
#include "codec9.h"
#include "classic.h"
#include "generic.h"
#include "search.h"
