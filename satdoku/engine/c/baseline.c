/* As many lanes as every processor of its kind has. */
#include "../../runtime/portable.h"

#define TABLE satdoku_baseline
#if HAS_VECTORS
#define LANES 128
#else
#define LANES 64
#endif
#include "body.h"
