/* 512 lanes. */
#include "../../../runtime/portable.h"

#if X86
#define TARGET tree_avx512
#define FEATURES AVX512_FEATURES
#define LANES 512
#include "body.h"
#endif
