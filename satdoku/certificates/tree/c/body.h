/* The search for one width of vectors.
 *
 * A file a target includes this once. It says the name of its TARGET, its LANES and, beyond those that
 * every processor of its kind has, the FEATURES that its instructions need. */
#include "../../../runtime/targets.h"

#include <string.h>

#include "planes.h"

BEGIN_TARGET(FEATURES)
#if HAS_VECTORS
#include "steps.h"
#include "lanes.h"
#endif
#include "search.h"
END_TARGET

const tree_target TARGET = {rows_needed, make};
