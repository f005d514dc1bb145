#!/bin/sh
# Runs the tests: tests/run.sh [--full] [--gpu] [--no-install]
#
# Installs what they need (Debian; as root or with sudo), then builds and runs
#   release   every test on the built-in device and on PoCL, the checks of the tree and the package;
#             what writes and reads texts and files again under a locale with a decimal comma, with
#             a limit on the size of files and without stdin, stdout and stderr; with --full
#             every test of the built-in device
#   asan      the same tests under AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer,
#             but for models, the command, gradients, formulas and those ops whose way to a device
#             other tests go, which run on the built-in one alone; with --full on both, and also
#             for sums of pointers in SIMD loops
#   tsan      the tests that use threads under ThreadSanitizer; all of them with --full, which
#             compiles each file by itself
#             In both, random cases of the built-in device are repeated a quarter as often as in
#             release, those that run the same loops on PoCL an eighth; with --full as often
#   bindings  that they are what the generator writes from the header; the tests and examples of
#             Rust, Go and Julia with the tool chains of Debian, on PoCL those that ask for the
#             device; with --full all of them there too, and with the tool chains in PATH; they
#             run beside the stage of asan
#   fuzz      every fuzz target for 5 seconds, with --full for 10 minutes
#   lint      shellcheck over all scripts, with --full also clang-tidy (scripts/lint.sh); rustfmt,
#             clippy, gofmt, vet and staticcheck are parts of the stage of bindings
#   packages  with --full: the Debian packages, built, checked and used in a bare chroot, and
#             whether a second build has the same bytes (tests/debian.sh, tests/reproducible.sh)
# --gpu adds the device "gpu" to the release stage.
# --full sets NETCL_TEST_FULL=1 as well, by which tests run longer. The last line is
# "N passed, N failed"; the exit status is 0 when nothing failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. scripts/packages.sh
. tests/bindings.sh

full=no
install=yes
gpu=OFF
every_state=OFF
# Larger groups of files than what is shipped is compiled in: headers are read fewer times.
alone=-DNETCL_UNITY=32
for argument in "$@"; do
  case $argument in
    --full)
      full=yes
      every_state=ON
      alone=
      ;;
    --gpu) gpu=ON ;;
    --no-install) install=no ;;
    *) echo "usage: tests/run.sh [--full] [--gpu] [--no-install]"; exit 2 ;;
  esac
done

passed=0
failed=0
fixed_addresses=
setarch "$(uname -m)" -R true 2>/dev/null && fixed_addresses="setarch $(uname -m) -R"
jobs=$(nproc)
# Some tests mostly wait, for a process that is to end or a limit that is to pass.
tests_at_once=$((jobs + 1))
# What ccache asks for where headers are precompiled.
export CCACHE_SLOPPINESS=pch_defines,time_macros
started=$(date +%s)
logs=$root/build/logs
mkdir -p "$logs"

# A bare chroot has neither /proc, which the sanitizers read, nor /sys, without which PoCL aborts.
# They are mounted for the run where that is allowed.
mounted=
mount_for_run() {
  [ -e "$3" ] && return
  if mkdir -p "$2" && mount -t "$1" "$1" "$2" 2>/dev/null; then
    mounted="$2 $mounted"
  else
    echo "$2 is not mounted and cannot be: tests that need it will fail"
  fi
}
# shellcheck disable=SC2317 # by the trap
unmount() {
  for folder in $mounted; do umount "$folder"; done
  mounted=
}
bindings=
# shellcheck disable=SC2317 # by the trap
leave() {
  [ -z "$bindings" ] || kill "$bindings" 2>/dev/null
  unmount
}
trap leave EXIT
trap 'exit 1' HUP INT TERM

finish() {
  echo "The whole run took $(($(date +%s) - started)) s"
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ] && [ "$passed" != 0 ]
  exit
}

# Builds a preset, or further arguments of it. What goes wrong counts as one failure.
build() {
  stage=$1
  shift
  stage_started=$(date +%s)
  echo "== $stage: building"
  # shellcheck disable=SC2086
  if cmake --preset "$stage" -DNETCL_TEST_GPU=$gpu -DNETCL_TEST_FULL=$every_state $alone \
       >"$logs/$stage.log" 2>&1 &&
     cmake --build "build/$stage" -j "$jobs" "$@" >>"$logs/$stage.log" 2>&1; then
    echo "   built in $(($(date +%s) - stage_started)) s"
    return 0
  fi
  grep -E 'error|Error|undefined reference|FAILED' "$logs/$stage.log" | head -n 20
  tail -n 5 "$logs/$stage.log"
  echo "   the build failed; all of it is in build/logs/$stage.log"
  failed=$((failed + 1))
  return 1
}

# Runs ctest in a build folder with further arguments and adds up what it says.
run_ctest() {
  stage=$1
  shift
  stage_started=$(date +%s)
  log=$logs/$stage-tests.log
  # ThreadSanitizer cannot place its shadow under the strongest address randomization.
  # shellcheck disable=SC2086
  (cd "build/$stage" && $fixed_addresses ctest -j "$tests_at_once" --output-on-failure "$@") \
    >"$log" 2>&1
  total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$log")
  bad=$(sed -n 's/.*, \([0-9]*\) tests failed out of .*/\1/p' "$log")
  if [ -z "$total" ]; then
    tail -n 5 "$log"
    echo "   ctest ran no test"
    failed=$((failed + 1))
    return
  fi
  left_out=$(grep -cE '^ *[0-9]+/[0-9]+ .*\*\*\*Skipped' "$log")
  # Each skipped test and case says why in a line of its own.
  awk '/^[0-9]+\/[0-9]+ Testing: /{name = $3}
       tolower($0) ~ /^ *skip/ {print "   " name ": " $0}' \
    "build/$stage/Testing/Temporary/LastTest.log" | sort -u
  # LeakSanitizer stops all threads to look for leaks, and now and then falls over one that ends.
  if [ "$bad" != 0 ] && grep -q 'LeakSanitizer has encountered a fatal error' "$log"; then
    echo "   LeakSanitizer itself failed; what failed with it is run once more"
    # shellcheck disable=SC2086
    (cd "build/$stage" && $fixed_addresses ctest --rerun-failed --output-on-failure) \
      >"$log.again" 2>&1
    log=$log.again
    bad=$(sed -n 's/.*, \([0-9]*\) tests failed out of .*/\1/p' "$log")
  fi
  passed=$((passed + total - bad - left_out))
  failed=$((failed + bad))
  [ "$bad" = 0 ] || grep -vE '   Passed  |^ *Start ' "$log"
  echo "   $((total - bad - left_out)) passed, $bad failed, $left_out skipped" \
    "in $(($(date +%s) - stage_started)) s"
}

# Runs a script as one test, which it skips with 77.
run_script() {
  log=$logs/$1.log
  shift
  "$@" >"$log" 2>&1
  case $? in
    0) passed=$((passed + 1)) ;;
    77) sed 's/^/   /' "$log" ;;
    *)
      failed=$((failed + 1))
      tail -n 20 "$log"
      echo "   $1 FAILED"
      ;;
  esac
}

mount_for_run proc /proc /proc/self/maps
mount_for_run sysfs /sys /sys/devices
if [ $install = yes ]; then
  [ $full = no ] || TEST_PACKAGES="$TEST_PACKAGES $FULL_PACKAGES"
  # shellcheck disable=SC2086
  if ! need $BUILD_PACKAGES $TEST_PACKAGES; then
    failed=1
    finish
  fi
fi
# PoCL keeps what it compiles, and a random case with another seed is another kernel: with one seed
# for all stages the later ones compile next to nothing.
if [ -z "${NETCL_TEST_SEED:-}" ] && [ $full = no ]; then
  NETCL_TEST_SEED=$(date +%s)
  export NETCL_TEST_SEED
fi
seconds=5
threaded='thread|concurrency|queue|event|pool|kernel|order|handle|device|log|library|transfer'
threaded="$threaded|tensor|timer|measurement|native|profile|trace|replay|graph|group|sharded"
# Of one thread, whatever their names say: what ops, kernels and compiled graphs compute, and their
# times.
one_thread='order_model_explore|search_replay|tuner_replay_cl|variant_trace|measurement_device'
one_thread="$one_thread|replay_options|expressions_graph|quantized_graph|tensor_views"
one_thread="$one_thread|pooling|pooling_errors|pooling_gradient|max_unpool2d|roi_pool|model_pool"
one_thread="$one_thread|graph_(copies|explain|function|plan|program|slices)"
one_thread="$one_thread|graph_epilogue(_short)?|graph_results(_random)?|matmul_kernel"
one_thread="$one_thread|primitive_kernels|kernel_(args|binary_cl|forms|registry)"
one_thread="^($one_thread)\\."
# Under AddressSanitizer these run on the built-in device alone: files of ONNX, gradients and
# formulas are further calls of ops, the command is a program that makes such calls, weights and
# ceilings ask a device for little; and of the ops those whose way to an OpenCL device is that of
# reduce, elementwise, gather, scatter, attention, primitives and the variants of products and
# convolutions, which run there. (Expressions of ctest take ten groups at most.)
one_device='model|model_.*|tool|tool_arguments|tool_bench|tool_jpeg|tool_model|tool_picture'
one_device="$one_device|tool_report|tool_selftest|tool_soak|tool_tune|gradients|gradients_.*"
one_device="$one_device|differentiate.*|recorded_gradients|expression|expression_.*|expressions.*"
one_device="$one_device|elementwise_rules|literals|npy|weights|weights_.*|ceilings|ceilings_model"
one_device="$one_device|measurement_device|replay_options|conv2d|conv2d_errors|conv2d_units"
one_device="$one_device|matmul|matmul_fma|matmul_kernel|matmul_split|matmul_units"
one_device="$one_device|matmul_integers.*|matmul_quantized.*|qlinear.*|quantiz.*|attention_edges"
one_device="$one_device|attention_units|kv_cache|rotary_embedding.*|batchnorm.*|norm|softmax"
one_device="$one_device|clip_by_norm|cross_entropy|optimizer.*|pooling.*|roi_pool|resize.*|move"
one_device="$one_device|scan"
one_device="$one_device|topk|histogram|random|cast"
one_device="^($one_device)\\.pocl\$"
if [ $full = yes ]; then
  NETCL_TEST_FULL=1
  export NETCL_TEST_FULL
  seconds=600
  threaded=.
  one_thread='^$'
  one_device='^$'
fi

echo "== bindings: what is generated from the header"
if python3 bindings/generator/generate.py --check >"$logs/generator.log" 2>&1; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  tail -n 20 "$logs/generator.log"
  echo "   bindings/generator/generate.py --check FAILED"
fi
echo "== lint"
linted="shell python"
[ $full = no ] || linted="$linted c++"
# shellcheck disable=SC2086
run_script lint scripts/lint.sh $linted
if build release; then
  run_ctest release
  begin_bindings
fi
fuzzing=
if build asan; then
  fuzzing=yes
  run_ctest asan -L 'builtin|pocl' -E "$one_device"
fi
finish_bindings
# Files are compiled in groups, which hides what one of them does not include.
alone='-DNETCL_UNITY=32 -DNETCL_PRECOMPILE=ON'
[ $full = no ] || alone='-DNETCL_UNITY=0 -DNETCL_PRECOMPILE=OFF'
# The programs of the tests that are run.
programs=$(find tests -path tests/mpi -prune -o -name 'test_*.c*' -print |
  sed 's/.*test_\([^/]*\)[.]c.*/\1/' |
  grep -E "$threaded" | sed 's/$/./' | grep -vE "$one_thread" | sed 's/^/test_/; s/[.]$//')
[ $full = no ] || programs="$programs order_model"
# shellcheck disable=SC2086
build tsan --target device_backend netcl_worker sequence $programs &&
  run_ctest tsan -L 'builtin|pocl' -R "$threaded" -E "$one_thread"

if [ -n "$fuzzing" ]; then
  echo "== fuzz: each target for $seconds s"
  tests/fuzz/campaign.sh $seconds "$jobs" >"$logs/fuzz.log"
  sed 's/^/   /' "$logs/fuzz.log"
  passed=$((passed + $(grep -c '^fuzz_.* inputs$' "$logs/fuzz.log")))
  failed=$((failed + $(grep -c '^fuzz_.* FAILED$' "$logs/fuzz.log")))
fi
if [ $full = yes ]; then
  echo "== packages"
  run_script packages-debian tests/debian.sh
  run_script packages-bytes tests/reproducible.sh build/release build/reproducible
fi
finish
