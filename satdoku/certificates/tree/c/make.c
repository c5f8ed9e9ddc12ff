#include "../../../runtime/portable.h"

#include "make.h"

#if X86
#include "../../../runtime/processor.h"
#endif

const tree_target *tree_target_at(size_t place)
{
#if X86
    if (has_features(BMI | AVX2 | BMI2 | AVX512_ALL, STATE_512) && !place--) return &tree_avx512;
    if (has_features(BMI | AVX2 | BMI2, STATE_256) && !place--) return &tree_avx2;
#endif
    return place ? NULL : &tree_baseline;
}
