#!/bin/sh
# check_layers.py has to find each of these faults: layers_fail.sh CHECK_LAYERS WORK_FOLDER
set -eu
check=$1
work=$2
rm -rf "$work"
mkdir -p "$work/src/core" "$work/src/ops/move" "$work/src/ops/rows" "$work/src/tool" \
  "$work/kernels/move" "$work/kernels/rows"
printf '#include "ops/matmul/matmul.hpp"\n' >"$work/src/core/upward.cpp"
printf 'void f() { clFinish(nullptr); }\n' >"$work/src/ops/move/call.cpp"
printf '#include "core/error.hpp"\n' >"$work/src/tool/inner.cpp"
printf '#include "ops/rows/softmax.hpp"\n' >"$work/src/ops/move/family.cpp"
printf '#include "rows.cl"\n' >"$work/kernels/move/family.cl"
printf '// A header.\n' >"$work/kernels/rows/rows.cl"
printf '// A file.\n' >"$work/src/ops/homeless.cpp"
printf '// A header.\n' | tee "$work/src/ops/move/twice.hpp" >"$work/src/ops/rows/twice.hpp"
printf 'void f() { format("%%.17g", 1.5); }\n' >"$work/src/ops/move/format.cpp"
printf 'void f() { std::strtod("1.5", nullptr); }\n' >"$work/src/ops/move/parse.cpp"
printf 'void f() { std::to_string(1.5); }\n' >"$work/src/ops/move/shown.cpp"
printf 'void f() { std::format("{:L}", 1.5); }\n' >"$work/src/ops/move/formatted.cpp"
printf 'void f() { std::isalnum(65); }\n' >"$work/src/ops/move/letter.cpp"
printf 'void f() { fail(1, "%%.17g", 1.5); format("%%d %%%%e"); }  // "%%g" strtod(\n' \
  >"$work/src/ops/move/message.cpp"
{
  echo 'int long_function() {'
  i=0
  while [ $i -lt 90 ]; do echo '  ;'; i=$((i + 1)); done
  echo '}'
} >"$work/src/ops/move/function.cpp"
i=0
while [ $i -lt 460 ]; do echo '// A line.'; i=$((i + 1)); done >"$work/src/ops/move/file.cpp"
printf 'void f() { graph::call<op>(x); }\n' >"$work/src/ops/move/way.cpp"
printf 'void f() { std::thread t; }\n' >"$work/src/ops/move/thread.cpp"
printf '// %0120d\n' 0 >"$work/src/ops/move/columns.cpp"
printf '// \303\244\n' >"$work/src/ops/move/ascii.cpp"

found=$(python3 "$check" "$work") && { echo "no fault was found"; exit 1; }
for file in core/upward.cpp ops/move/call.cpp tool/inner.cpp ops/move/function.cpp \
  ops/move/file.cpp ops/move/columns.cpp ops/move/ascii.cpp ops/move/family.cpp ops/homeless.cpp \
  ops/rows/twice.hpp ops/move/format.cpp ops/move/parse.cpp ops/move/letter.cpp \
  ops/move/way.cpp ops/move/thread.cpp ops/move/shown.cpp ops/move/formatted.cpp \
  ../kernels/move/family.cl; do
  file=src/$file
  case $found in
    *"${file#src/../}:"*) ;;
    *) echo "the fault in $file was not found"; exit 1 ;;
  esac
done
case $found in
  *message.cpp:*) echo "a message was taken for a fault"; exit 1 ;;
esac
echo "all faults were found"
