/* What every processor of its kind has. */
#include "../../../runtime/portable.h"

#define TARGET tree_baseline
#define LANES 128
#include "body.h"
