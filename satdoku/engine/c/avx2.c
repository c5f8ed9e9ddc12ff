/* 256 lanes. */
#include "../../runtime/portable.h"

#if X86
#define TABLE satdoku_avx2
#define FEATURES "avx2,bmi,bmi2,popcnt"
#define LANES 256
#include "body.h"
#endif
