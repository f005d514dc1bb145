/* Every variant of the matrix product on request, with and without an epilogue, against double
 * precision. */
#include "support_matmul_variants.h"

int main(void) { return run_matmul_variant_tests("matmul_variants", 0); }
