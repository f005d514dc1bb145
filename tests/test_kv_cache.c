/* The ways of docs/attention.md to keep keys and values: what is in the caches, and what attention
 * makes of them, is what it is without. */
#include <math.h>

#include "support_graph.h"
#include "support_strided.h"

enum { BATCH = 3, HEADS = 4, KV_HEADS = 2, SIZE = 8, PLACES = 24, PAGE = 4, PAGES = 40 };
enum { ENTRIES = PLACES / PAGE, ROW = KV_HEADS * SIZE };

/* Keys of all sequences as plain arrays [BATCH, PLACES, KV_HEADS, SIZE], and how many there are. */
typedef struct Sequences {
  float k[BATCH * PLACES * ROW], v[BATCH * PLACES * ROW];
  int32_t lengths[BATCH];
} Sequences;

/* New keys [BATCH, most, KV_HEADS, SIZE] with their places [BATCH, most]: a sequence may have fewer
 * of them, whose places are behind the cache. */
typedef struct News {
  int64_t most;
  float k[BATCH * PLACES * ROW], v[BATCH * PLACES * ROW];
  int32_t places[BATCH * PLACES];
} News;

static void draw(Sequences *all, News *news, int64_t most) {
  news->most = most;
  for (int64_t b = 0; b < BATCH; ++b) {
    const int64_t count = all->lengths[b] + most > PLACES ? 0 : random_in(0, most);
    for (int64_t m = 0; m < most; ++m) {
      const int64_t at = (b * most + m) * ROW, place = all->lengths[b] + m;
      news->places[b * most + m] = m < count ? (int32_t)place : PLACES;
      for (int64_t i = 0; i < ROW; ++i) {
        news->k[at + i] = (float)random_real(-1, 1);
        news->v[at + i] = (float)random_real(-1, 1);
        if (m >= count) continue;
        all->k[(b * PLACES + place) * ROW + i] = news->k[at + i];
        all->v[(b * PLACES + place) * ROW + i] = news->v[at + i];
      }
    }
    all->lengths[b] += (int32_t)count;
  }
}

static netcl_tensor *tensor_of(Fixture *fixture, netcl_dtype dtype, uint32_t rank, int64_t a,
                               int64_t b, int64_t c, int64_t d, const void *data) {
  const int64_t shape[4] = {a, b, c, d};
  return make_tensor(fixture->device, dtype, rank, shape, data);
}
static netcl_tensor *permuted(netcl_tensor *tensor, uint32_t a, uint32_t b, uint32_t c,
                              uint32_t d) {
  const uint32_t axes[4] = {a, b, c, d};
  netcl_tensor *view = NULL;
  OK(netcl_tensor_permute(tensor, axes, 4, &view));
  return view;
}

/* Attention over what a cache shows, and over the plain arrays. */
static void compare(Fixture *fixture, const Sequences *all, netcl_tensor *k, netcl_tensor *v,
                    netcl_tensor *table, const char *what, int step) {
  netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
  float q_data[BATCH * HEADS * 2 * SIZE];
  for (size_t i = 0; i < COUNT_OF(q_data); ++i) q_data[i] = (float)random_real(-1, 1);
  netcl_tensor *q = tensor_of(fixture, NETCL_F32, 4, BATCH, HEADS, 2, SIZE, q_data);
  netcl_tensor *plain_k = tensor_of(fixture, NETCL_F32, 4, BATCH, PLACES, KV_HEADS, SIZE, all->k);
  netcl_tensor *plain_v = tensor_of(fixture, NETCL_F32, 4, BATCH, PLACES, KV_HEADS, SIZE, all->v);
  netcl_tensor *own_k = permuted(plain_k, 0, 2, 1, 3), *own_v = permuted(plain_v, 0, 2, 1, 3);
  netcl_tensor *wanted = NULL, *got = NULL;
  options.key_lengths = tensor_of(fixture, NETCL_I32, 1, BATCH, 0, 0, 0, all->lengths);
  options.causal = 1;
  OK(netcl_op_attention(q, own_k, own_v, &options, NULL, &wanted, NULL));
  options.block_table = table;
  OK(netcl_op_attention(q, k, v, &options, NULL, &got, NULL));
  /* In another layout keys may be added up in another order. */
  float *const a = read_tensor(got), *const b = read_tensor(wanted);
  for (size_t i = 0; i < COUNT_OF(q_data); ++i) {
    CHECK(fabsf(a[i] - b[i]) <= 1e-5f, "%s, step %d: element %zu is %g, not %g", what, step, i,
          a[i], b[i]);
  }
  free(a);
  free(b);
  RELEASE(q, plain_k, plain_v, own_k, own_v, wanted, got, options.key_lengths);
}

/* Writes new rows [BATCH, most, KV_HEADS, SIZE] into a cache [BATCH, KV_HEADS, PLACES, SIZE] at
 * places [BATCH, most], in the cache itself. */
static void append(netcl_tensor *cache, netcl_tensor *rows, netcl_tensor *places,
                   const netcl_run_options *given) {
  const int64_t most = tensor_info(rows).shape[1];
  const int64_t along[4] = {BATCH, 1, most, 1}, shape[4] = {BATCH, KV_HEADS, most, SIZE};
  netcl_run_options run = *given;
  netcl_tensor *updates = permuted(rows, 0, 2, 1, 3), *column = NULL, *indices = NULL;
  OK(netcl_tensor_reshape(places, 4, along, NULL, &column));
  OK(netcl_tensor_broadcast(column, 4, shape, &indices));
  run.into = cache;
  OK(netcl_op_scatter(cache, indices, updates, 2, NULL, &run, NULL));
  RELEASE(updates, column, indices);
}

static void contiguous(void **state) {
  Fixture *fixture = *state;
  const netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  const int64_t shape[4] = {BATCH, KV_HEADS, PLACES, SIZE};
  for (int round = 0; round < 4; ++round) {
    Sequences *all = calloc(1, sizeof *all);
    News *news = calloc(1, sizeof *news);
    /* In any layout. */
    float *const zeros = calloc(BATCH * PLACES * ROW, sizeof *zeros);
    Strided k = make_strided(fixture->device, NETCL_F32, 4, shape, zeros);
    Strided v = make_strided(fixture->device, NETCL_F32, 4, shape, zeros);
    for (int step = 0; step < 8; ++step) {
      draw(all, news, step == 0 ? 9 : random_in(1, 3));
      netcl_tensor *places = tensor_of(fixture, NETCL_I32, 2, BATCH, news->most, 0, 0,
                                       news->places);
      netcl_tensor *rows[2] = {
          tensor_of(fixture, NETCL_F32, 4, BATCH, news->most, KV_HEADS, SIZE, news->k),
          tensor_of(fixture, NETCL_F32, 4, BATCH, news->most, KV_HEADS, SIZE, news->v)};
      append(k.view, rows[0], places, &run);
      append(v.view, rows[1], places, &run);
      RELEASE(places, rows[0], rows[1]);
      netcl_tensor *seen[2] = {permuted(k.view, 0, 2, 1, 3), permuted(v.view, 0, 2, 1, 3)};
      CHECK_TENSOR(seen[0], all->k);
      CHECK_TENSOR(seen[1], all->v);
      compare(fixture, all, k.view, v.view, NULL, "contiguous cache", step);
      RELEASE(seen[0], seen[1]);
    }
    void *const got = read_tensor(k.view);
    CHECK_STRIDED(&k, got);
    free(got);
    free(zeros);
    release_strided(&k);
    release_strided(&v);
    free(all);
    free(news);
  }
}

/* The slots of tokens at places [BATCH, most], by the pages of their sequences; behind the last
 * page, and where a page is not there, one that no pool has. */
static netcl_tensor *slots_of(netcl_tensor *table, netcl_tensor *places,
                              const netcl_run_options *run) {
  netcl_tensor *entries = NULL, *pages = NULL, *slots = NULL;
  OK(netcl_op_expression_text("v0 / 4", &places, 1, NULL, run, &entries));
  OK(netcl_op_gather_elements(table, entries, 1, run, &pages));
  OK(netcl_op_expression_text("v1 < 0 || v1 >= 24 ? 160 : v0 * 4 + v1 % 4",
                              (netcl_tensor *const[]){pages, places}, 2, NULL, run, &slots));
  RELEASE(entries, pages);
  return slots;
}

/* Writes new rows into a pool [PAGES * PAGE, KV_HEADS, SIZE] at slots. */
static void put(netcl_tensor *pool, netcl_tensor *rows, netcl_tensor *slots,
                const netcl_run_options *given) {
  const int64_t count = tensor_info(slots).element_count;
  const int64_t along[3] = {count, 1, 1}, shape[3] = {count, KV_HEADS, SIZE};
  netcl_run_options run = *given;
  netcl_tensor *updates = NULL, *column = NULL, *indices = NULL;
  OK(netcl_tensor_reshape(rows, 3, shape, NULL, &updates));
  OK(netcl_tensor_reshape(slots, 3, along, NULL, &column));
  OK(netcl_tensor_broadcast(column, 3, shape, &indices));
  run.into = pool;
  OK(netcl_op_scatter(pool, indices, updates, 0, NULL, &run, NULL));
  RELEASE(updates, column, indices);
}

/* A pool as netcl_op_attention takes pages. */
static netcl_tensor *as_pages(netcl_tensor *pool) {
  const int64_t shape[4] = {PAGES, PAGE, KV_HEADS, SIZE};
  netcl_tensor *pages = NULL;
  OK(netcl_tensor_reshape(pool, 4, shape, NULL, &pages));
  netcl_tensor *const view = permuted(pages, 0, 2, 1, 3);
  RELEASE(pages);
  return view;
}

static netcl_tensor *random_table(Fixture *fixture) {
  int32_t pages[PAGES];
  for (int i = 0; i < PAGES; ++i) pages[i] = i;
  for (int i = PAGES - 1; i > 0; --i) {
    const int64_t other = random_in(0, i);
    const int32_t kept = pages[i];
    pages[i] = pages[other];
    pages[other] = kept;
  }
  return tensor_of(fixture, NETCL_I32, 2, BATCH, ENTRIES, 0, 0, pages);
}

/* Pages, in calls one by one and in a graph whose rows, places and pages come with each run. */
static void paged(void **state) {
  Fixture *fixture = *state;
  for (int in_graph = 0; in_graph < 2; ++in_graph) {
    const int64_t shape[3] = {PAGES * PAGE, KV_HEADS, SIZE}, most = 5;
    Sequences *all = calloc(1, sizeof *all);
    News *news = calloc(1, sizeof *news);
    netcl_tensor *pools[2] = {NULL, NULL}, *table = random_table(fixture), *views[2];
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    for (int i = 0; i < 2; ++i) {
      OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, shape, NULL, NULL, &pools[i]));
      views[i] = as_pages(pools[i]);
    }
    for (int step = 0; step < 6; ++step) {
      draw(all, news, most);
      netcl_tensor *inputs[4] = {
          table, tensor_of(fixture, NETCL_I32, 2, BATCH, most, 0, 0, news->places),
          tensor_of(fixture, NETCL_F32, 4, BATCH, most, KV_HEADS, SIZE, news->k),
          tensor_of(fixture, NETCL_F32, 4, BATCH, most, KV_HEADS, SIZE, news->v)};
      if (step == 0 && in_graph) run = captured_calls(fixture);
      if (step == 0 || !in_graph) {
        netcl_tensor *slots = slots_of(inputs[0], inputs[1], &run);
        for (int i = 0; i < 2; ++i) put(pools[i], inputs[2 + i], slots, &run);
        if (in_graph) OK(netcl_graph_compile(run.graph, inputs, 4, NULL, 0, NULL));
        RELEASE(slots);
      }
      if (in_graph) OK(netcl_graph_run(run.graph, inputs, 4, NULL, 0, NULL));
      compare(fixture, all, views[0], views[1], table, in_graph ? "pages in a graph" : "pages",
              step);
      RELEASE(inputs[1], inputs[2], inputs[3]);
    }
    netcl_graph_release(run.graph);
    RELEASE(pools[0], pools[1], views[0], views[1], table);
    free(all);
    free(news);
  }
}

/* A step of decoding in a graph: one token for each sequence, at places that come with each run. */
static void contiguous_in_graph(void **state) {
  Fixture *fixture = *state;
  Sequences *all = calloc(1, sizeof *all);
  News *news = calloc(1, sizeof *news);
  const int64_t shape[4] = {BATCH, KV_HEADS, PLACES, SIZE};
  netcl_tensor *caches[2] = {NULL, NULL};
  netcl_run_options run = captured_calls(fixture);
  for (int i = 0; i < 2; ++i) {
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, shape, NULL, NULL, &caches[i]));
  }
  for (int step = 0; step < 12; ++step) {
    draw(all, news, 1);
    netcl_tensor *inputs[3] = {tensor_of(fixture, NETCL_I32, 2, BATCH, 1, 0, 0, news->places),
                               tensor_of(fixture, NETCL_F32, 4, BATCH, 1, KV_HEADS, SIZE, news->k),
                               tensor_of(fixture, NETCL_F32, 4, BATCH, 1, KV_HEADS, SIZE, news->v)};
    if (step == 0) {
      append(caches[0], inputs[1], inputs[0], &run);
      append(caches[1], inputs[2], inputs[0], &run);
      OK(netcl_graph_compile(run.graph, inputs, 3, NULL, 0, NULL));
    }
    OK(netcl_graph_run(run.graph, inputs, 3, NULL, 0, NULL));
    compare(fixture, all, caches[0], caches[1], NULL, "contiguous cache in a graph", step);
    RELEASE(inputs[0], inputs[1], inputs[2]);
  }
  netcl_graph_release(run.graph);
  RELEASE(caches[0], caches[1]);
  free(all);
  free(news);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(contiguous), DEVICE_TEST(contiguous_in_graph),
                                     DEVICE_TEST(paged), DEVICE_TEST(as_kernels)};
  seed_random("kv_cache");
  return cmocka_run_group_tests_name("kv_cache", tests, NULL, NULL);
}
