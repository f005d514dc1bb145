// Rotary position embedding: the problem as the built-in loops and the kernel take it, and the
// loops.
#pragma once

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

// The geometry of a call. Numbers of tokens and heads are those of x.
struct RotaryShape {
  netcl_dtype dtype = NETCL_F32;
  netcl_dtype cache_dtype = NETCL_F32;
  netcl_dtype position_dtype = 0;  // 0: the caches have a row for each token
  bool interleaved = false;
  bool inverse = false;
  int64_t batch = 1;
  int64_t heads = 1;
  int64_t tokens = 1;     // of each sequence
  int64_t size = 0;       // of a head
  int64_t pairs = 0;      // of a head, that are rotated
  int64_t positions = 0;  // rows of the caches, with positions
  Layout x, result;       // [batch, heads, tokens, size]
  Layout cosines, sines;  // [positions, pairs], or [batch, tokens, pairs]
  Layout ids;             // [batch, tokens]
};

struct RotaryTask {
  RotaryShape shape;
  const void* x = nullptr;
  const void* cosines = nullptr;
  const void* sines = nullptr;
  const void* ids = nullptr;
  void* result = nullptr;
};

void rotary_embedding(const RotaryTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
