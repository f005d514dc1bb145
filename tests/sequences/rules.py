"""What the names in the interface mean to tests/sequences: values with which calls are right.

A rule belongs to "function.parameter", to "function.parameter.member" (through structs), to
"struct.member" or to "*.name", without the prefix netcl_; the first of these counts. A rule is

  i 1 2 4            one of these integers             d 0.5 1      one of these numbers
  s one|two          one of these texts                n 1 2 / 4    an array of integers
  t f:M,K            a tensor: dtype and extents       t f:M + f:M  tensors of an array
  h                  any live handle of the type       never        zero or NULL
  @name              a way of its own, see draw_special.cpp

Letters stand for what is drawn once per call. Dtypes: f a float, mostly f32; F f32; D f64; h f32,
f16 or bf16; i i32 or i64; I i32; L i64; q and p i8 or u8; U u8; B bool; x any. Extents: capitals.
[30] in front: the share of calls in percent that set it. ! in front: never made wrong, and always
set in a struct.
"""

from rules_functions import FUNCTIONS
from rules_structs import STRUCTS

NAMES = {
    "*.timeout_ns": "i 18446744073709551615 1000000000 0",
    "*.grace_ns": "! i 0 1000000000",
    "*.index": "i 0 0 1",
    "*.axis": "i -1 0 1",
    "*.after": "i 0 1",
    "*.reserved": "never",
    "*.name": "s name|k|other",
    "*.path": "s a.npy|b.json|c.jsonl",
    "*.selector": "s builtin|auto|cpu|0|BUILTIN",
    "*.shape_signature": "i 0 0 7",
    "*.global": "! n 16",
    "*.local": "[40] n 4",
    "*.args": "@kernel_args",
    "*.enabled": "i 0 1",
    "*.disk": "! i 0 0 0 0 0 0 0 1",
    "*.user_data": "@user_data",
    "*.destroy": "@destroy",
    "*.fn": "[70] @hook",
    "*.function": "@hook",
    "*.work": "@hook",
    "*.candidate": "i 0 0 1",
    "*.round": "i 0 1",
    "*.seed": "i 0 1 7",
    "*.confidence": "d 0.95 0.9",
    "*.precision": "d 0.01 0.1",
    "*.learning_rate": "d 0.1 0.001",
    "*.max_norm": "d 1 0.5",
    "*.time_ns": "d 1000 5",
    "*.samples": "@samples",
    "*.first": "@samples",
    "*.second": "@samples",
    "*.bytes": "i 0 1 64 1000 70000",
    "*.m": "i 1 4 64",
    "*.n": "i 1 4 64",
    "*.k": "i 1 4 64",
    "*.batch": "i 1 2",
    "*.dtype": "i 3 3 1 2 4 7",
    "*.rank": "@rank",
    "*.shape": "@shape",
    "*.strides": "[10] @strides",
    "*.x": "t f:M,N",
    "*.capabilities": "[50] @capabilities",
    "*.config": "h",
    "*.managed": "@managed",
    "*.message": "[80] s no file|a message",
    "*.native_code": "i 0 -5",
    "*.format": "i 2 1 3",
    "*.kind": "@enum",
    "*.count": "i 1 100 4096",
    "*.outputs": "i 1 4",
    "*.offset_bytes": "i 0 0 64",
    "*.keep_bytes": "i 0 4096",
    "*.data": "@data",
    "*.value": "@element",
    "*.text": "s v0 + v1",
    "*.variant": "[10] @enum",
}

RULES = {**NAMES, **STRUCTS, **FUNCTIONS}

# Options that may not be left out: without them a call measures for seconds, or into files of the
# user's own.
NEEDED = [
    "measurement_create.options", "queue_time.options", "kernel_time.options",
    "benchmark_time_baseline.options", "benchmark_time_kernel.options", "benchmark_run.options",
    "ceilings_measure.options", "tuner_create.options", "kernel_autotune.options",
    "search_create.options", "search_replay.options", "benchmark_create.options",
    "profile_start.options",
]

# How often functions are drawn; 100 where nothing is said. What takes long comes seldom.
WEIGHTS = {
    "shutdown": 2, "program_cache_clear": 2, "program_cache_get_entry": 10, "device_diagnose": 5,
    "device_count": 20, "queue_time": 10, "kernel_time": 2, "kernel_build": 10,
    "kernel_autotune": 1, "tuner_run": 1, "ceilings_measure": 1, "benchmark_run": 1,
    "benchmark_time_baseline": 1, "benchmark_time_kernel": 1, "benchmark_create": 5,
    "benchmark_prepare": 5, "benchmark_keep": 5, "kernel_create_matmul": 5,
    "kernel_launch": 50, "kernel_explain_launch": 20, "log_set_level": 20,
    "tuning_database_compact": 20, "device_open": 20, "primitive_register_kernels": 20,
    "primitive_register": 400, "primitive_register_function": 200, "primitive_unregister": 30,
    "op_primitive": 200, "graph_add_gradients": 300, "graph_compile": 300, "graph_run": 300,
    "graph_evaluate": 200, "graph_create_from_function": 200, "model_load_memory": 100,
    "model_evaluate": 100, "model_run": 100, "search_ask": 200,
    "search_replay": 20, "tuning_database_clear": 50,
    "space_create": 50,
}

# Called after a function has made an object, on that object.
AFTER = {
    "space_create": ["space_add_ints TILE", "space_add_bool FLAG"],
    "benchmark_create": ["benchmark_add_tensor", "benchmark_add_scalar"],
}

# Functions that no sequence can call, with the reason.
EXCEPT = {}
