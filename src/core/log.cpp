#include "core/log.hpp"

#include <time.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "core/plain_locale.hpp"
#include "core/process.hpp"
#include "core/utf8.hpp"

namespace netcl {

struct Log::Callback {
  netcl_log_fn fn;
  void* user_data;
  netcl_destroy_fn destroy;
  Callback(netcl_log_fn f, void* data, netcl_destroy_fn d) : fn(f), user_data(data), destroy(d) {}
  ~Callback() {
    if (destroy != nullptr) destroy(user_data);
  }
};

void copy_text(char* field, size_t capacity, const char* text) noexcept {
  const size_t length = utf8_prefix({text, strnlen(text, capacity)}, capacity - 1).size();
  std::memcpy(field, text, length);
  std::memset(field + length, 0, capacity - length);
}

void copy_line(char* field, size_t capacity, const char* text) noexcept {
  copy_text(field, capacity, text);
  for (std::string_view rest = field; !rest.empty();) {
    bool sound = true;
    const size_t length = utf8_length(rest, &sound);
    char* const at = field + (rest.data() - field);
    if (static_cast<unsigned char>(*at) < 0x20 || *at == 0x7f) *at = ' ';
    // U+0080 to U+009F
    if (length == 2 && *at == '\xc2' && static_cast<unsigned char>(at[1]) < 0xa0) {
      std::memset(at, ' ', length);
    }
    if (!sound) std::memset(at, '?', length);
    rest.remove_prefix(length);
  }
}

void Log::append(netcl_log_level level, const char* message) noexcept {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  std::lock_guard<std::mutex> lock(mutex_);
  const uint64_t sequence = last_sequence_.load(std::memory_order_relaxed) + 1;
  netcl_log_record& record = ring_[sequence % kCapacity];
  record.struct_size = sizeof record;
  record.sequence = sequence;
  record.time_ns =
      static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
  record.level = level;
  copy_line(record.message, sizeof record.message, message);
  last_sequence_.store(sequence, std::memory_order_release);
}

bool Log::read(uint64_t after, netcl_log_record* record) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  return read_locked(after, record);
}

bool Log::read_locked(uint64_t after, netcl_log_record* record) const noexcept {
  const uint64_t last = last_sequence_.load(std::memory_order_relaxed);
  if (after >= last) return false;
  const uint64_t oldest = last > kCapacity ? last - kCapacity + 1 : 1;
  const uint64_t wanted = after + 1 > oldest ? after + 1 : oldest;
  *record = ring_[wanted % kCapacity];
  return true;
}

void Log::set_callback(netcl_log_fn fn, void* user_data, netcl_destroy_fn destroy) {
  std::shared_ptr<Callback> fresh;
  if (fn != nullptr) fresh = std::make_shared<Callback>(fn, user_data, destroy);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    std::swap(callback_, fresh);
    has_callback_.store(callback_ != nullptr);
    // A new function gets what is logged from now on.
    delivered_.store(last_sequence_.load());
  }
}

bool Log::pending() const noexcept {
  return has_callback_.load(std::memory_order_acquire) &&
         delivered_.load() < last_sequence_.load(std::memory_order_acquire);
}

void Log::deliver() noexcept {
  // What a callback itself logs goes out with the next call, or a callback that always logs would
  // keep its caller here for ever.
  const uint64_t until = last_sequence_.load(std::memory_order_acquire);
  if (!pending()) return;
  if (delivering_.exchange(true)) return;  // another thread is at it
  for (;;) {
    std::shared_ptr<Callback> callback;
    netcl_log_record record;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (callback_ == nullptr || delivered_.load() >= until) break;
      if (!read_locked(delivered_.load(), &record)) break;
      callback = callback_;
      delivered_.store(record.sequence);
    }
    callback->fn(&record, callback->user_data);
  }
  delivering_.store(false);
}

void log_message(netcl_log_level level, const char* pattern, ...) noexcept {
  ProcessState* state = process_if_installed();
  if (state == nullptr || !state->log.wants(level)) return;
  char text[sizeof(netcl_log_record::message) + 4];
  va_list arguments;
  va_start(arguments, pattern);
  const PlainLocale locale;
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  state->log.append(level, text);
}

}  // namespace netcl
