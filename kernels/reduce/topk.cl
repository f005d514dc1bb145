/* The first k elements of rows in sorted order. Elements become items, which sort as their keys do
 * and, among equal keys, by index; so every order of the work gives the same result.
 *
 *   X         name of the dtype of x
 *   FORM      of the key: 0 float, 1 double, 2 signed and 3 unsigned up to 32 bits, 4 and 5 of 64
 *   LARGEST   1: the largest element comes first
 *   LONG_ITEM 1: an item is a key and an index of 64 bits; 0: both share 64 bits
 *   TILE      items of a tile, a power of two
 *   ITEMS     work-items that sort a tile in local memory */
#include "prelude.cl"

#if LONG_ITEM
typedef ulong2 Item;
#define BEFORE(a, b) ((a).x < (b).x || ((a).x == (b).x && (a).y < (b).y))
#define LAST_ITEM ((ulong2)(ULONG_MAX, ULONG_MAX))
#define INDEX_OF(item) ((long)(item).y)
#else
typedef ulong Item;
#define BEFORE(a, b) ((a) < (b))
#define LAST_ITEM ULONG_MAX
#define INDEX_OF(item) ((long)((item) & 0xfffffffful))
#endif

/* Unsigned integers in the order of the elements; a NaN is the largest, -0 is 0. */
inline ulong order_of(COMPUTE(X) v) {
#if FORM == 0
  const uint bits = as_uint(v), size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return 0xfffffffful;
  return size == 0 ? 0x80000000u : (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
#elif FORM == 1
  const ulong top = 1ul << 63;
  const ulong bits = as_ulong(v), size = bits & ~top;
  if (size > 0x7ff0000000000000ul) return ULONG_MAX;
  return size == 0 ? top : (bits & top) != 0 ? ~bits : bits | top;
#elif FORM == 2
  return (uint)v ^ 0x80000000u;
#elif FORM == 4
  return (ulong)v ^ (1ul << 63);
#else
  return v;
#endif
}

inline Item item_of(COMPUTE(X) v, long index) {
  const ulong order = order_of(v);
#if LONG_ITEM
  return (ulong2)(LARGEST ? ~order : order, (ulong)index);
#elif LARGEST
  return ((order ^ 0xfffffffful) << 32) | (ulong)index;
#else
  return (order << 32) | (ulong)index;
#endif
}

/* Rows [first, first + rows) of x as rows of `width` items, filled up with last ones. */
__kernel void netcl_topk_items(const __global STORAGE(X)* x, const Layout lines, long stride,
                               long count, long first, long rows, long width,
                               __global Item* items) {
  const long id = get_global_id(0);
  if (id >= rows * width) return;
  const long row = id / width, index = id % width;
  Item item = LAST_ITEM;
  if (index < count) {
    item = item_of(LOAD(X, x, netcl_at(&lines, first + row) + index * stride), index);
  }
  items[id] = item;
}

/* Sorts each tile of a row of `width` items and keeps its first `keep` ones. Rows of the result
 * have `kept_width` items. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_topk_sort_tiles(
    const __global Item* items, long width, long tiles, long keep, long kept_width,
    __global Item* kept) {
  __local Item shared[TILE];
  const uint own = get_local_id(0);
  const long row = (long)get_group_id(0) / tiles, tile = (long)get_group_id(0) % tiles;
  const __global Item* const from = items + row * width + tile * TILE;
  const long present = min(width - tile * TILE, (long)TILE);
  for (uint i = own; i < TILE; i += ITEMS) shared[i] = i < present ? from[i] : LAST_ITEM;
  for (uint size = 2; size <= TILE; size *= 2) {
    for (uint step = size / 2; step > 0; step /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint pair = own; pair < TILE / 2; pair += ITEMS) {
        const uint low = 2 * pair - (pair & (step - 1));
        const Item a = shared[low], b = shared[low + step];
        const bool falls = (low & size) != 0;
        if (falls ? BEFORE(a, b) : BEFORE(b, a)) {
          shared[low] = b;
          shared[low + step] = a;
        }
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  __global Item* const to = kept + row * kept_width + tile * keep;
  for (uint i = own; i < keep; i += ITEMS) to[i] = shared[i];
}

/* Merges neighbouring sorted runs of a row: a work-item finds where its `each` items come from. */
__kernel void netcl_topk_merge(const __global Item* items, long width, long rows, long run,
                               long each, __global Item* merged) {
  const long segments = (width + each - 1) / each;
  const long id = get_global_id(0);
  if (id >= rows * segments) return;
  const __global Item* const row = items + id / segments * width;
  const long begin = id % segments * each;
  const long pair = begin / (2 * run) * (2 * run);
  const long middle = min(width, pair + run), last = min(width, pair + 2 * run);
  const __global Item* const a = row + pair;
  const __global Item* const b = row + middle;
  const long size_a = middle - pair, size_b = last - middle, at = begin - pair;
  long low = max(0L, at - size_b), high = min(at, size_a);
  while (low < high) {
    const long half_way = (low + high) / 2;
    if (BEFORE(a[half_way], b[at - 1 - half_way])) {
      low = half_way + 1;
    } else {
      high = half_way;
    }
  }
  long i = low, j = at - low;
  __global Item* const to = merged + id / segments * width;
  for (long k = begin; k < min(last, begin + each); ++k) {
    const bool left = j >= size_b || (i < size_a && BEFORE(a[i], b[j]));
    to[k] = left ? a[i++] : b[j++];
  }
}

/* The elements themselves, bit for bit, and their indexes. */
__kernel void netcl_topk_write(const __global Item* items, long width, long first, long rows,
                               long k, const __global STORAGE(X)* x, const Layout lines,
                               long stride, __global STORAGE(X)* values, const Layout value_lines,
                               long value_stride, int wants_indexes, __global long* indexes,
                               const Layout index_lines, long index_stride) {
  const long id = get_global_id(0);
  if (id >= rows * k) return;
  const long row = id / k, place = id % k;
  const long index = INDEX_OF(items[row * width + place]);
  values[netcl_at(&value_lines, first + row) + place * value_stride] =
      x[netcl_at(&lines, first + row) + index * stride];
  if (wants_indexes) {
    indexes[netcl_at(&index_lines, first + row) + place * index_stride] = index;
  }
}
