// The one kind of cache of the process, against a list that is searched from end to end.
#include "core/lru.hpp"

#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

extern "C" {
#include "support.h"
}

namespace {

int g_until_failure = -1;  // allocations that still succeed; negative: all do

}  // namespace

void* operator new(size_t size) {
  if (g_until_failure == 0) throw std::bad_alloc();
  if (g_until_failure > 0) --g_until_failure;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

using namespace netcl;

namespace {

using Value = std::shared_ptr<int>;

struct Row {
  std::string key;
  Value value;
  uint64_t bytes;
};

// The oldest first.
struct Model {
  size_t entries_most;
  uint64_t bytes_most;
  std::vector<Row> rows;

  Value* find(const std::string& key) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].key != key) continue;
      const Row row = rows[i];
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
      rows.push_back(row);
      return &rows.back().value;
    }
    return nullptr;
  }
  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const Row& row : rows) sum += row.bytes;
    return sum;
  }
  void insert(const std::string& key, const Value& value, uint64_t bytes_of_it) {
    if (find(key) == nullptr) rows.push_back({key, value, bytes_of_it});
    while (rows.size() > 1 && (rows.size() > entries_most || bytes() > bytes_most)) {
      rows.erase(rows.begin());
    }
  }
};

using Cache = LruCache<std::string, Value>;

// All that is in the model is in the cache, and nothing else. Keeps the order of both.
void check_same(Cache& cache, Model& model) {
  assert_int_equal(cache.size(), model.rows.size());
  assert_int_equal(cache.bytes(), model.bytes());
  for (const Row& row : model.rows) {
    const Value* const found = cache.find(std::string_view(row.key));
    CHECK(found != nullptr && *found == row.value, "%s is lost", row.key.c_str());
  }
}

void against_model(void**) {
  for (const uint64_t bytes_most : {UINT64_MAX, uint64_t{500}}) {
    Cache cache(20, bytes_most);
    Model model{20, bytes_most, {}};
    for (int turn = 0; turn < 20000; ++turn) {
      const std::string key = "key " + std::to_string(random_bits() % 60);
      const uint64_t what = random_bits() % 100;
      if (what < 50) {
        const Value* const found = cache.find(key);
        const Value* const wanted = model.find(key);
        CHECK((found == nullptr) == (wanted == nullptr), "%s at turn %d", key.c_str(), turn);
        if (wanted != nullptr) assert_true(*found == *wanted);
      } else {
        const auto value = std::make_shared<int>(turn);
        const uint64_t bytes = random_bits() % (what == 99 ? 700 : 60);
        const bool known = model.find(key) != nullptr;
        const Value& kept = cache.insert(key, value, bytes);
        assert_true((kept == value) == !known);  // the first stays
        model.insert(key, value, bytes);
      }
      if (turn % 500 == 0) check_same(cache, model);
      if (turn % 7000 == 6999) {
        cache.clear();
        model.rows.clear();
      }
    }
    check_same(cache, model);
  }
}

// What is asked for all the time stays; the rest goes, and lives on in the hands of who uses it.
void hot_and_cold(void**) {
  LruCache<uint64_t, Value, std::hash<uint64_t>> cache(100);
  const Value hot = cache.insert(0, std::make_shared<int>(7));
  const Value in_use = cache.insert(1, std::make_shared<int>(8));
  const std::weak_ptr<int> unused = cache.insert(2, std::make_shared<int>(9));
  for (uint64_t i = 3; i < 10000; ++i) {
    cache.insert(i, std::make_shared<int>(0));
    const Value* const found = cache.find(uint64_t{0});
    CHECK(found != nullptr && *found == hot, "gone after %d others", static_cast<int>(i));
    assert_true(cache.size() <= 100);
  }
  assert_null(cache.find(uint64_t{1}));
  assert_int_equal(*in_use, 8);
  assert_true(unused.expired());
}

// One entry above the limit is kept alone.
void one_of_many_bytes(void**) {
  Cache cache(10, 1000);
  cache.insert("small", std::make_shared<int>(1), 10);
  cache.insert("large", std::make_shared<int>(2), 5000);
  assert_int_equal(cache.size(), 1);
  assert_int_equal(**cache.find("large"), 2);
  cache.insert("next", std::make_shared<int>(3), 10);
  assert_int_equal(cache.size(), 1);
  assert_int_equal(cache.bytes(), 10);
}

// Each allocation of an insert fails in turn, at a size that makes the table grow as well.
void failed_allocations(void**) {
  for (size_t count = 0; count < 70; ++count) {
    Cache cache(64);
    Model model{64, UINT64_MAX, {}};
    for (size_t i = 0; i < count; ++i) {
      const std::string key = "a key too long to lie inside of a string " + std::to_string(i);
      const auto value = std::make_shared<int>(0);
      cache.insert(key, value, 5);
      model.insert(key, value, 5);
    }
    const std::string fresh = "another key too long to lie inside of a string";
    const auto value = std::make_shared<int>(1);
    bool failed = true;
    for (int n = 0; failed; ++n) {
      assert_true(n < 10);
      failed = false;
      g_until_failure = n;
      try {
        cache.insert(fresh, value, 5);
      } catch (const std::bad_alloc&) {
        failed = true;
      }
      g_until_failure = -1;
      if (failed) check_same(cache, model);
      assert_true(failed || n >= 2);  // the key's copy and the entry at least
    }
    model.insert(fresh, value, 5);
    check_same(cache, model);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(against_model), cmocka_unit_test(hot_and_cold),
                              cmocka_unit_test(one_of_many_bytes),
                              cmocka_unit_test(failed_allocations)};
  seed_random("lru");
  return cmocka_run_group_tests_name("lru", tests, nullptr, nullptr);
}
