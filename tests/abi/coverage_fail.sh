#!/bin/sh
# check_coverage.py has to find each of these gaps: coverage_fail.sh CHECK_COVERAGE ROOT WORK_FOLDER
# shellcheck disable=SC2016 # backticks are Markdown
set -eu
check=$1
root=$2
work=$3
rm -rf "$work"
mkdir -p "$work/include" "$work/docs" "$work/tests/fake_cl" "$work/tests/mpi" "$work/tests/abi" \
  "$work/src/ops/elementwise" "$work/src/expression"
cp "$root/include/netcl.h" "$work/include"
cp "$root/docs/coverage.md" "$work/docs"
cp "$root"/tests/*.[ch] "$root"/tests/*.cpp "$work/tests" 2>/dev/null || true
cp "$root"/tests/fake_cl/test_* "$work/tests/fake_cl"
cp "$root"/tests/mpi/test_* "$work/tests/mpi"
cp "$root/src/ops/elementwise/elementwise_op.cpp" "$work/src/ops/elementwise"
cp "$root/src/expression/op.hpp" "$work/src/expression"
cp "$root/tests/abi/netcl.json" "$work/tests/abi"
python3 "$check" "$work" >"$work/found" || { cat "$work/found"; exit 1; }

# A new op and a new operator that nothing is said of, a row gone, and names that mean nothing.
printf 'NETCL_API netcl_status netcl_op_unheard(void);\n' >>"$work/include/netcl.h"
printf '    {NETCL_ELEMENTWISE_UNHEARD, "Unheard", 1, 1, "v0"},\n' \
  >>"$work/src/ops/elementwise/elementwise_op.cpp"
sed -i -e '/^| D1 |/d' -e 's/^\(| N9 |.*\) topk,/\1 topkx,/' \
  -e 's/^\(| N9 |.*\)`netcl_op_topk`/\1`netcl_op_topkx`/' \
  "$work/docs/coverage.md"
sed -i 's/X(tanh, "tanh"/X(unheard, "unheard", 1, real) &/' "$work/src/expression/op.hpp"
sed -i 's/"smallest"/"unheard"/' "$work/tests/abi/netcl.json"
found=$(python3 "$check" "$work") && { echo "no gap was found"; exit 1; }
for gap in "docs/coverage.md: netcl_op_unheard is missing" \
  "tests/test_options_ops.c: netcl_op_unheard is missing" \
  "tests/support_handles_ops.c: netcl_op_unheard is missing" \
  "tests: netcl_op_unheard is used by no test" \
  "docs/coverage.md: the elementwise operator Unheard is missing" \
  "docs/coverage.md: D1 has no row" "N9: there is no test topkx" \
  "N9: netcl_op_topkx is not declared" \
  "tests/test_differentiate.c: the function unheard of expressions has no row" \
  "tests/support_replay_rows.h: netcl_topk_options.unheard has no row"; do
  case $found in
    *"$gap"*) ;;
    *) echo "this gap was not found: $gap"; echo "$found"; exit 1 ;;
  esac
done

python3 "$check" "$work/none" 2>"$work/usage" && { echo "no folder is no error"; exit 1; }
grep -q "^usage: check_coverage.py" "$work/usage" || { cat "$work/usage"; exit 1; }
echo "all gaps were found"
