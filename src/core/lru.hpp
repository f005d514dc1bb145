// The one kind of cache of the process, but for store/memo.hpp, which is read without a lock. It is
// bounded in entries and, where entries differ much in size, in bytes. A look-up makes an entry the
// newest; when there are too many, the oldest go, so a value that is asked for all the time stays
// however many others come by.
//
// No lock inside: whoever owns a cache has one that guards more than it. Values that somebody works
// with while others may insert are shared pointers, so that one which goes lives on in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

#include "core/hash.hpp"

namespace netcl {

template <class Key, class Value, class Hash = KeyHash>
class LruCache {
 public:
  // `bytes_most` bounds the sum of what insert is told. The newest entry is kept whatever it takes.
  explicit LruCache(size_t entries_most, uint64_t bytes_most = UINT64_MAX)
      : entries_most_(entries_most), bytes_most_(bytes_most) {}
  LruCache(const LruCache&) = delete;
  LruCache& operator=(const LruCache&) = delete;

  // The value of a key, which is the newest from now on; null when there is none. `Like` is the key
  // or what compares and hashes as it does, such as a view of a text. The value stays in its place
  // until it goes.
  template <class Like>
  Value* find(const Like& key) {
    // Calls are often like the one before, and hashing takes longer than comparing.
    if (ends_.older != &ends_ && *newest().key == key) return &newest().value;
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    make_newest(found->second);
    return &found->second.value;
  }

  // The value that is kept under the key from now on: the one that is there already, since another
  // thread may have come first, or the new one, for which the oldest go. When it fails, for want of
  // memory, the cache is as it was.
  Value& insert(Key key, Value value, uint64_t bytes = 0) {
    const auto [place, fresh] = entries_.try_emplace(std::move(key), std::move(value), bytes);
    Entry& entry = place->second;
    if (fresh) {
      entry.key = &place->first;
      bytes_ += bytes;
    }
    make_newest(entry);
    while (entries_.size() > entries_most_ || bytes_ > bytes_most_) {
      Entry& oldest = static_cast<Entry&>(*ends_.newer);
      if (&oldest == &entry) break;
      erase(oldest);
    }
    return entry.value;
  }

  // The value whose use lies back farthest, which goes; there is one. For values that must not be
  // destroyed under the lock of the cache's owner.
  Value take_oldest() noexcept {
    Entry& oldest = static_cast<Entry&>(*ends_.newer);
    Value value = std::move(oldest.value);
    erase(oldest);
    return value;
  }

  // All values, beginning with the newest.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Link* link = ends_.older; link != &ends_; link = link->older) {
      visit(static_cast<const Entry*>(link)->value);
    }
  }

  void clear() noexcept {
    ends_.newer = ends_.older = &ends_;
    bytes_ = 0;
    entries_.clear();
  }

  size_t size() const noexcept { return entries_.size(); }
  uint64_t bytes() const noexcept { return bytes_; }

 private:
  // Entries stand in a ring by age, closed by ends_ between newest and oldest.
  struct Link {
    Link* older = this;
    Link* newer = this;
  };
  struct Entry : Link {
    Entry(Value&& moved, uint64_t counted) : value(std::move(moved)), bytes(counted) {}
    const Key* key = nullptr;
    Value value;
    uint64_t bytes;
  };

  Entry& newest() noexcept { return static_cast<Entry&>(*ends_.older); }
  static void unlink(Link& link) noexcept {
    link.older->newer = link.newer;
    link.newer->older = link.older;
  }
  void make_newest(Link& link) noexcept {
    if (ends_.older == &link) return;
    unlink(link);
    link.older = ends_.older;
    link.newer = &ends_;
    link.older->newer = ends_.older = &link;
  }
  void erase(Entry& entry) noexcept {
    unlink(entry);
    bytes_ -= entry.bytes;
    entries_.erase(entries_.find(*entry.key));
  }

  const size_t entries_most_;
  const uint64_t bytes_most_;
  uint64_t bytes_ = 0;
  Link ends_;
  std::unordered_map<Key, Entry, Hash, std::equal_to<>> entries_;
};

}  // namespace netcl
