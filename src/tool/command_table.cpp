// The commands and what --help says of them. Manual pages and the completions of shells are made of
// the same texts.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "bench.hpp"
#include "commands.hpp"
#include "tune_entries.hpp"

namespace netcl::tool {
namespace {

constexpr Command kCommands[] = {
    {"info", "[--json]", "show the library, its devices and its surroundings",
     "  --json          write JSON instead of text\n", nullptr, run_info},
    {"selftest", "[--device SEL] [--seed N] [--json]", "check that every device works",
     "  --device SEL    check one device: auto, gpu, cpu, accel, builtin, an index, P:D, a name\n"
     "  --seed N        use the input numbers of an earlier run\n"
     "  --json          write JSON instead of text\n"
     "\n"
     "Ends with 1 when a check fails, else with 0.\n",
     nullptr, run_selftest},
    {"bench", "[OP[:SIZES]...] [--device SEL] [--dtype T] [--time S] [--cold] [--json] ...",
     "time ops: medians, rates, and the share of the roof that they reach",
     "  OP[:SIZES]      an op with its usual sizes, or with these: matmul:512, add:1000000,\n"
     "                  conv2d:8x64x56x56x64; none: a selection of all\n"
     "  --device SEL    the device: auto (the default), gpu, cpu, builtin, an index, P:D, a name\n"
     "  --dtype T       f32 (the default), f16, bf16, f64\n"
     "  --time S        seconds per op; the default is 0.3\n"
     "  --cold          empty the caches before each sample\n"
     "  --no-roof       leave the ceilings out, which take 3 seconds the first time\n"
     "  --remeasure     measure the ceilings again\n"
     "  --ceilings FILE take the ceilings of a file\n"
     "  --save FILE     keep the run, as JSON; --json writes the same to stdout\n"
     "  --compare FILE  compare with a run of --save or --json; without ops those of FILE are run\n"
     "  --noise PCT     what counts as beyond noise: medians that differ by more, with intervals\n"
     "                  that lie apart; the default is 5\n"
     "  --json          write JSON instead of text\n"
     "\n"
     "Ends with 1 when an op could not be run, else with 3 when one is slower than before, beyond\n"
     "noise.\n"
     "\n"
     "  group [COLLECTIVE:BYTES]...   time collectives, f32, between processes of this host:\n"
     "                  barrier, all_reduce, reduce, broadcast, all_gather, reduce_scatter, "
     "gather,\n"
     "                  scatter, all_to_all, and send, there and back between ranks 0 and 1\n"
     "  --ranks N       so many processes; the default is 2\n"
     "  --device SEL    may be given several times: rank R takes the R-th, round and round\n"
     "  --share         tensors that other processes and CUDA see, which NCCL works on in place\n"
     "  --path FILE --rank R --size N   be one rank of a group that meets at FILE\n"
     "  --timeout S     the longest that a rank waits for another; the default is 60\n"
     "  --time S, --json   as above; times are of the slowest rank, medians of 7. GB/s: bytes by\n"
     "                  time; bus GB/s: what the busiest rank sends or receives by time\n",
     bench_ops_help, run_bench_command},
    {"tune", "OP[:SIZES]... | FILE.cl --kernel NAME --global SIZE --arg ARG... [--json] ...",
     "find the fastest settings of ops or of a kernel, and store them for dispatch",
     "  OP[:SIZES]      an op below; one size stands for all: matmul:512, conv2d:8x64x56x56x64\n"
     "  --dtype T       f32 (the default), f16, bf16, f64\n"
     "  --filter N --stride N --padding N   of a convolution: 3, 1 and half of the filter\n"
     "\n"
     "  FILE.cl         OpenCL C; it is tuned through macros and the local size\n"
     "  --kernel NAME   which of its kernels\n"
     "  --global SIZE   1048576, or 1024x1024\n"
     "  --arg ARG       in the order of the parameters, one of\n"
     "                  in:DTYPE:SHAPE[:FILL], out:DTYPE:SHAPE[:FILL], inout:...,\n"
     "                  DTYPE:VALUE, local:BYTES; FILL is a number or LOW..HIGH, without it\n"
     "                  0..1 for floats, and for integers 0 to below the root of the element\n"
     "                  count of the smallest tensor. The result is for these integer values;\n"
     "                  with :free behind a value, for all of this argument\n"
     "  --param NAME=V,V,...   values of a macro; TILE_SIZE and UNROLL_FACTOR have some already\n"
     "  --local L,L,... local sizes, 64,128 or 16x16,32x8; none: powers of two\n"
     "  --constraint F  a formula over parameters and limits of the device\n"
     "  --global-formula F, --local-formula F   the work size by parameters, --global\n"
     "                  (global_x, global_y, global_z) and integer arguments, so that the work\n"
     "                  per item is tuned: \"ceil(n / (TX * WPT)) * TX\" and TX\n"
     "  --space FILE    parameters, constraints and work size as T1 JSON\n"
     "  --flag F        a flag of the compiler; --round-up rounds the global size up\n"
     "\n"
     "  --device SEL    the device: auto (the default), gpu, cpu, builtin, an index, P:D, a name\n"
     "  --budget S      seconds per op or kernel; the default is 60\n"
     "  --strategy S    auto (the default), exhaustive, random, local, annealing, genetic\n"
     "  --seed N, --evaluations N, --samples N   of the search\n"
     "  --in-process    candidates run in this process, not in a worker\n"
     "  --force         measure again what is stored\n"
     "  --database FILE another database than that of this user\n"
     "  --quiet         no progress on stderr\n"
     "  --json          write JSON instead of text\n"
     "\n"
     "  --list          show what the database has; --export FILE writes it as T4 JSON or CSV\n"
     "  --replay FILE   how the strategies search on recorded times, T4 JSON or a cache file of\n"
     "                  Kernel Tuner: 200 evaluations, or --evaluations; 20 seeds, or --seeds\n"
     "\n"
     "Ctrl-C keeps what was measured, and the best so far when it is surely faster; ends with "
     "130.\n"
     "Ends with 1 when something could not be tuned.\n",
     tune_ops_help, run_tune},
    {"roofline", "[OP[:SIZES]...] [--device SEL] [--html FILE] [--ncu FILE] [--json] ...",
     "measure what a device can do, and how near ops come to it",
     "  OP[:SIZES]      as for netcl bench\n"
     "  --no-bench      the ceilings alone\n"
     "  --device SEL    the device: auto (the default), gpu, cpu, builtin, an index, P:D, a name\n"
     "  --budget S      seconds for the ceilings; the default is 3\n"
     "  --remeasure     measure the ceilings again instead of taking stored ones\n"
     "  --save FILE     write the ceilings; --ceilings FILE takes them\n"
     "  --dtype, --time, --cold   as for netcl bench\n"
     "  --html FILE     write the report of netcl report\n"
     "  --ncu FILE      analyze a CSV report of Nsight Compute instead; --kernel NAME picks one,\n"
     "                  --launch median, first, last or longest of its launches (median)\n"
     "  --json          write JSON instead of text\n"
     "\n"
     "Ends with 1 when an op could not be run or a report could not be analyzed.\n",
     bench_ops_help, run_roofline},
    {"report", "FILE [OP[:SIZES]...] [--device SEL] [--dtype T] [--time S] [--cold] ...",
     "write a page with the roofline of a device, its ops, a program and tuning",
     "  FILE            the page: HTML in one piece, which needs no network\n"
     "  OP[:SIZES]      as for netcl bench\n"
     "  --device, --dtype, --time, --cold, --budget, --remeasure, --ceilings\n"
     "                  as for netcl roofline\n"
     "  --profile FILE  show a program too: the JSON that netcl_profile_report gave it; ops are\n"
     "                  then run only where they are named\n"
     "  --database FILE another tuning database than that of this user\n"
     "\n"
     "Ends with 1 when an op could not be run; the page is written all the same.\n",
     bench_ops_help, run_report},
    {"cache", "[list | size | verify | clear] [--json]",
     "look after what is kept on disk: programs, ceilings, results of tuning",
     "  list            each program with its kernels, device, size and last use\n"
     "  size            the folder and what is in it; this is what it does without an argument\n"
     "  verify          check every byte; ends with 1 when an entry is damaged\n"
     "  clear           remove all programs; with --ceilings the ceilings too,\n"
     "                  with --tuning what tuning found\n"
     "  --json          write JSON instead of text\n",
     nullptr, run_cache},
    {"trace", "FILE [OP[:SIZES]...] [--device SEL] [--dtype T] [--time S] [--json]",
     "record a trace of ops for Perfetto or chrome://tracing",
     "  FILE            the trace, JSON in Chrome's form\n"
     "  OP[:SIZES]      as for netcl bench\n"
     "  --time S        seconds per op; the default is 0.02\n"
     "  --device, --dtype   as for netcl bench\n"
     "  --json          write JSON instead of text\n",
     bench_ops_help, run_trace},
    {"run", "MODEL [--input NAME=FILE]... [--top N] [--check NAME=FILE]... [--bench] ...",
     "run a model of ONNX, and show, compare, keep or time what it gives",
     "  MODEL           a file of ONNX\n"
     "  --input NAME=FILE   an input from a file: .npy, .npz (FILE.npz:MEMBER where it has\n"
     "                      several), or a picture, PNG, JPEG, binary PPM or PGM;\n"
     "                  NAME=random, as those that are not given, is random: [0, 1), whole\n"
     "                  numbers 0 or 1\n"
     "                  Where there is one input, or output, FILE alone is enough, here and below\n"
     "  --dim NAME=N    the extent of a dimension of that name; without, 1 of random inputs\n"
     "  --shape NAME=AxBxC  the extents of a random input\n"
     "  --seed N        of random inputs\n"
     "  --dtype f16 | bf16   of weights and values between that are f32 in the file, with sums in\n"
     "                  f32\n"
     "  --output NAME=FILE  save an output as .npy\n"
     "  --top N         show the N best classes of each row of the first output; --labels FILE\n"
     "                  names them, a line for each class\n"
     "  --check NAME=FILE   compare an output with a .npy file, to --rtol (1e-3) of each element\n"
     "                  and --atol (1e-5)\n"
     "  --bench         time runs, for --time seconds (1), after the first\n"
     "  --profile       show the kernels of one run and their times\n"
     "  --trace FILE    write one run as a trace for Perfetto or chrome://tracing\n"
     "  --device SEL    the device: auto (the default), gpu, cpu, builtin, an index, P:D, a name\n"
     "\n"
     "Pictures become what the input takes, by these steps, which are printed. The defaults are\n"
     "torchvision's for ImageNet:\n"
     "  --resize none | N | HEIGHTxWIDTH   N is of the shorter side. The default is 256, for a\n"
     "                  crop of another size than 224 as much more; with --crop none, what the\n"
     "                  input takes\n"
     "  --crop none | N | HEIGHTxWIDTH     from the middle; the default is what the input takes,\n"
     "                  and 224 where it takes any\n"
     "  --colors rgb | bgr | gray   rgb; gray where the input has one channel\n"
     "  --scale X       1/255: each sample of 0 to 255 becomes (sample * scale - mean) / std\n"
     "  --mean A,B,C    0.485,0.456,0.406 in the order of --colors; one number is for all\n"
     "  --std A,B,C     0.229,0.224,0.225. For grey and whole numbers mean is 0 and std 1, for\n"
     "                  whole numbers scale is 1\n"
     "  --layout nchw | nhwc   where the input does not tell: nchw\n"
     "\n"
     "Ends with 1 when the model cannot be run or an output differs.\n",
     nullptr, run_run},
    {"model", "MODEL [--input NAME=FILE]... [--dim NAME=N]... [--steps] [--device SEL] ...",
     "tell what is in a file of ONNX, what netcl makes of it, and what it cannot run of it",
     "  MODEL           a file of ONNX\n"
     "  --input, --dim, --shape, --seed, --resize ...   the inputs, as for netcl run: the plan is\n"
     "                  for their shapes\n"
     "  --dtype f16 | bf16   as for netcl run\n"
     "  --steps         each step with what it reads, writes and joins, and why others are apart\n"
     "  --device SEL    the device that the plan is for: builtin (the default), gpu, cpu, auto,\n"
     "                  an index, P:D, a name\n"
     "  --file-only     what is in the file, no plan\n"
     "\n"
     "The model runs twice: memory and work are those of a run. Ends with 1 when something is\n"
     "missing, and when it does not run for these inputs.\n",
     nullptr, run_model},
    {"soak", "[--device SEL] [--duration 2h] [--threads N] [--seed N] [--json FILE] [--quiet]",
     "work for hours, and see that nothing grows, slows down or goes wrong",
     "  --device SEL    the device: auto (the default), gpu, cpu, builtin, an index, P:D, a name\n"
     "  --duration T    2h (the default), 10m, 90s, or seconds\n"
     "  --threads N     that work at a time; the default is 8\n"
     "  --seed N        the work of an earlier run\n"
     "  --json FILE     write what was measured, too\n"
     "  --quiet         no progress\n"
     "\n"
     "Each result is compared with one from the start. Ends with 1 and the reason when one is\n"
     "wrong, resident memory grew by more than 1 % and still grows, a percentile of latency\n"
     "moved by more than 5 % while that of work without netcl did not, or files grew. In less\n"
     "than 10 minutes only what is gross counts: 32 MiB more, percentiles that rose by 50 %;\n"
     "in less than 10 seconds latency does not.\n",
     nullptr, run_soak},
    {"man", "[COMMAND | --folder DIR]", "write manual pages",
     "  COMMAND         the page of a command; none: that of netcl itself\n"
     "  --folder DIR    write all pages to a folder: netcl.1, netcl-bench.1, ...\n"
     "\n"
     "The pages are made of what --help says: netcl man bench | man -l -\n",
     nullptr, run_man},
    {"completion", "bash | zsh | fish", "write what a shell needs to complete commands and options",
     "  bash            to be read by ~/.bashrc: . <(netcl completion bash)\n"
     "  zsh             a file _netcl in a folder of $fpath\n"
     "  fish            ~/.config/fish/completions/netcl.fish\n",
     nullptr, run_completion},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

const Command* find_command(const char* name) {
  for (const Command& command : kCommands) {
    if (std::strcmp(command.name, name) == 0) return &command;
  }
  return nullptr;
}

}  // namespace netcl::tool
