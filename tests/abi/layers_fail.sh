#!/bin/sh
# check_layers.py has to find each of these faults: layers_fail.sh CHECK_LAYERS WORK_FOLDER
set -eu
check=$1
work=$2
rm -rf "$work"
mkdir -p "$work/src/core" "$work/src/ops" "$work/src/tool"
printf '#include "ops/matmul.hpp"\n' >"$work/src/core/upward.cpp"
printf 'void f() { clFinish(nullptr); }\n' >"$work/src/ops/call.cpp"
printf '#include "core/error.hpp"\n' >"$work/src/tool/inner.cpp"
{
  echo 'int long_function() {'
  i=0
  while [ $i -lt 90 ]; do echo '  ;'; i=$((i + 1)); done
  echo '}'
} >"$work/src/ops/function.cpp"
i=0
while [ $i -lt 460 ]; do echo '// A line.'; i=$((i + 1)); done >"$work/src/ops/file.cpp"
printf '// %0120d\n' 0 >"$work/src/ops/columns.cpp"
printf '// \303\244\n' >"$work/src/ops/ascii.cpp"

found=$(python3 "$check" "$work") && { echo "no fault was found"; exit 1; }
for file in core/upward ops/call tool/inner ops/function ops/file ops/columns ops/ascii; do
  case $found in
    *"src/$file.cpp:"*) ;;
    *) echo "the fault in $file.cpp was not found"; exit 1 ;;
  esac
done
echo "all faults were found"
