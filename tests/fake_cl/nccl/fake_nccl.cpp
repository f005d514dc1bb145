// A stand-in for NCCL (libnccl.so.2) whose ranks are threads of this process and whose memory is
// that of the stand-in for CUDA's driver. As NCCL does it works on behind the calls: what they
// begin is done by a thread, and tells by ncclCommGetAsyncError when it has ended. It is stricter:
// memory that the rank's GPU does not reach is an error.
//
// NETCL_FAKE_NCCL_FAIL="FUNCTION CODE" makes each call of a function fail; a number behind that
// makes it fail for that rank alone, and "init" is what goes on behind ncclCommInitRankConfig.
// NETCL_FAKE_NCCL_HANG=1 lets no collective end. fake_nccl_live counts communicators.
// fake_nccl_pause(1) holds collectives that all ranks have come to, until fake_nccl_pause(0);
// fake_nccl_pause(-1) tells how many are held.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "group/nccl_api.hpp"

using namespace netcl::group;

extern "C" int fake_cuda_reaches(uint64_t address, size_t bytes);

namespace {

enum { kOk = 0, kUnhandledCuda = 1, kInvalid = 4 };

// One collective of a communicator, by its number: what each rank brought.
struct Round {
  std::map<int, std::pair<const void*, void*>> ranks;
  bool done = false;
};
struct World {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<int> come;
  std::map<uint64_t, Round> rounds;
  std::map<std::pair<int, int>, std::vector<std::string>> mail;  // from, to
  bool aborted = false;
};
struct Comm {
  std::shared_ptr<World> world;
  int rank, size;
  uint64_t number = 0;  // of the next collective
  std::thread thread;
  std::mutex mutex;
  int state = kOk;
};

std::mutex& worlds_mutex() {
  static auto* const one = new std::mutex();
  return *one;
}
std::map<std::string, std::weak_ptr<World>>& worlds() {
  static auto* const all = new std::map<std::string, std::weak_ptr<World>>();
  return *all;
}
int live = 0;

thread_local int depth = 0;
thread_local std::vector<std::pair<Comm*, std::function<bool()>>> begun;

std::atomic<int> paused{-1};  // what is held, -1 where nothing is to be

int injected(const char* function, int rank = -1) {
  const char* given = std::getenv("NETCL_FAKE_NCCL_FAIL");
  if (given == nullptr) return kOk;
  std::istringstream words(given);
  std::string name;
  int code = kOk, only = -1;
  words >> name >> code;
  const bool one = static_cast<bool>(words >> only);
  return name == function && (!one || only == rank) ? code : kOk;
}
#define START \
  if (const int fake_code = injected(__func__)) return fake_code

bool hangs() { return std::getenv("NETCL_FAKE_NCCL_HANG") != nullptr; }

// Waits until that is so; false where the communicator is aborted before.
bool await(World& world, std::unique_lock<std::mutex>& lock, const std::function<bool()>& so) {
  world.changed.wait(lock, [&] { return world.aborted || so(); });
  return !world.aborted;
}

void go_on(Comm* comm, std::vector<std::function<bool()>> work) {
  if (comm->thread.joinable()) comm->thread.join();
  comm->state = kNcclInProgress;
  comm->thread = std::thread([comm, work = std::move(work)] {
    bool well = true;
    for (const auto& one : work) well = well && one();
    const std::lock_guard<std::mutex> lock(comm->mutex);
    comm->state = well ? kOk : kUnhandledCuda;
  });
}

size_t size_of(int type) {
  static const size_t kSizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8};
  return kSizes[type];
}

template <class T>
void join(const std::vector<const void*>& in, void* out, size_t first, size_t count, int how) {
  std::vector<T> all(count);
  for (size_t i = 0; i < count; ++i) {
    T value = static_cast<const T*>(in[0])[first + i];
    for (size_t r = 1; r < in.size(); ++r) {
      const T next = static_cast<const T*>(in[r])[first + i];
      value = how == kNcclSum    ? static_cast<T>(value + next)
              : how == kNcclProd ? static_cast<T>(value * next)
              : how == kNcclMax  ? std::max(value, next)
                                 : std::min(value, next);
    }
    all[i] = value;
  }
  std::memcpy(out, all.data(), count * sizeof(T));
}

void join(const std::vector<const void*>& in, void* out, size_t first, size_t count, int type,
          int how) {
  switch (type) {
    case kNcclI8:
      return join<int8_t>(in, out, first, count, how);
    case kNcclU8:
      return join<uint8_t>(in, out, first, count, how);
    case kNcclI32:
      return join<int32_t>(in, out, first, count, how);
    case kNcclU32:
      return join<uint32_t>(in, out, first, count, how);
    case kNcclI64:
      return join<int64_t>(in, out, first, count, how);
    case kNcclU64:
      return join<uint64_t>(in, out, first, count, how);
    case kNcclF32:
      return join<float>(in, out, first, count, how);
    case kNcclF64:
      return join<double>(in, out, first, count, how);
    default:
      std::abort();
  }
}

bool seen(const void* memory, size_t bytes) {
  return memory == nullptr || fake_cuda_reaches(reinterpret_cast<uintptr_t>(memory), bytes) == 1;
}

// All ranks bring memory; the last one to come calls finish(inputs, outputs) for all.
using Finish = std::function<void(const std::vector<const void*>&, const std::vector<void*>&)>;
int collective(void* handle, const void* in, size_t in_bytes, void* out, size_t out_bytes,
               Finish finish) {
  auto* const comm = static_cast<Comm*>(handle);
  if (depth == 0) return kInvalid;
  if (!seen(in, in_bytes) || !seen(out, out_bytes)) return kUnhandledCuda;
  const uint64_t number = comm->number++;
  begun.emplace_back(comm, [=] {
    World& world = *comm->world;
    std::unique_lock<std::mutex> lock(world.mutex);
    Round& round = world.rounds[number];
    round.ranks[comm->rank] = {in, out};
    if (static_cast<int>(round.ranks.size()) == comm->size) {
      std::vector<const void*> inputs;
      std::vector<void*> outputs;
      for (const auto& [rank, memory] : round.ranks) {
        inputs.push_back(memory.first);
        outputs.push_back(memory.second);
      }
      if (paused.load() >= 0) {
        ++paused;
        lock.unlock();
        while (paused.load() >= 0) std::this_thread::yield();
        lock.lock();
      }
      finish(inputs, outputs);
      round.done = true;
      world.changed.notify_all();
    }
    return await(world, lock, [&] { return round.done && !hangs(); });
  });
  return kOk;
}

}  // namespace

extern "C" {

int ncclGetVersion(int* version) {
  START;
  const char* const given = std::getenv("NETCL_FAKE_NCCL_VERSION");
  *version = given == nullptr ? 22304 : std::atoi(given);
  return kOk;
}
const char* ncclGetErrorString(int code) {
  return code == kUnhandledCuda ? "unhandled cuda error" : "fake error";
}
int ncclGetUniqueId(NcclId* id) {
  START;
  static int next = 0;
  const std::lock_guard<std::mutex> lock(worlds_mutex());
  std::memset(id, 0, sizeof *id);
  ++next;
  std::memcpy(id->bytes, &next, sizeof next);
  return kOk;
}
int ncclCommInitRankConfig(void** handle, int size, NcclId id, int rank, NcclConfig* config) {
  if (const int code = injected(__func__, rank)) return code;
  if (config->magic != 0xcafebeef || config->blocking != 0 || rank >= size) return kInvalid;
  auto* const comm = new Comm();
  {
    const std::lock_guard<std::mutex> lock(worlds_mutex());
    std::weak_ptr<World>& known = worlds()[std::string(id.bytes, sizeof id.bytes)];
    comm->world = known.lock();
    if (comm->world == nullptr) known = comm->world = std::make_shared<World>();
    ++live;
  }
  comm->rank = rank;
  comm->size = size;
  *handle = comm;
  go_on(comm, {[comm, well = injected("init", rank) == kOk] {
          if (!well) return false;
          World& world = *comm->world;
          std::unique_lock<std::mutex> lock(world.mutex);
          world.come.insert(comm->rank);
          world.changed.notify_all();
          return await(world, lock,
                       [&] { return static_cast<int>(world.come.size()) == comm->size; });
        }});
  return kNcclInProgress;
}
int ncclCommGetAsyncError(void* handle, int* state) {
  START;
  auto* const comm = static_cast<Comm*>(handle);
  const std::lock_guard<std::mutex> lock(comm->mutex);
  *state = comm->state;
  return kOk;
}
// Ends what is under way on this rank; a rank that waits for it waits on.
int ncclCommAbort(void* handle) {
  auto* const comm = static_cast<Comm*>(handle);
  {
    const std::lock_guard<std::mutex> lock(comm->world->mutex);
    bool busy = false;
    {
      const std::lock_guard<std::mutex> own(comm->mutex);
      busy = comm->state == kNcclInProgress;
    }
    // Threads of the others see it too, which their ranks have given up or will.
    if (busy) comm->world->aborted = true;
    comm->world->changed.notify_all();
  }
  if (comm->thread.joinable()) comm->thread.join();
  delete comm;
  const std::lock_guard<std::mutex> lock(worlds_mutex());
  --live;
  return kOk;
}
int ncclGroupStart() {
  START;
  ++depth;
  return kOk;
}
int ncclGroupEnd() {
  if (--depth != 0) return kOk;
  std::map<Comm*, std::vector<std::function<bool()>>> work;
  for (auto& [comm, one] : begun) work[comm].push_back(std::move(one));
  begun.clear();
  START;
  for (auto& [comm, all] : work) go_on(comm, std::move(all));
  return work.empty() ? kOk : kNcclInProgress;
}
int ncclSend(const void* data, size_t count, int type, int peer, void* handle, void*) {
  START;
  auto* const comm = static_cast<Comm*>(handle);
  const size_t bytes = count * size_of(type);
  if (depth == 0 || peer >= comm->size || peer == comm->rank) return kInvalid;
  if (!seen(data, bytes)) return kUnhandledCuda;
  // In front of what receives, as NCCL does both at once.
  begun.insert(
      begun.begin(),
      {comm, [=] {
         World& world = *comm->world;
         const std::lock_guard<std::mutex> lock(world.mutex);
         world.mail[{comm->rank, peer}].emplace_back(static_cast<const char*>(data), bytes);
         world.changed.notify_all();
         return !world.aborted;
       }});
  return kOk;
}
int ncclRecv(void* data, size_t count, int type, int peer, void* handle, void*) {
  START;
  auto* const comm = static_cast<Comm*>(handle);
  const size_t bytes = count * size_of(type);
  if (depth == 0 || peer >= comm->size || peer == comm->rank) return kInvalid;
  if (!seen(data, bytes)) return kUnhandledCuda;
  begun.emplace_back(comm, [=] {
    World& world = *comm->world;
    std::unique_lock<std::mutex> lock(world.mutex);
    auto& box = world.mail[{peer, comm->rank}];
    if (!await(world, lock, [&] { return !box.empty(); }) || box[0].size() != bytes) return false;
    std::memcpy(data, box[0].data(), bytes);
    box.erase(box.begin());
    return true;
  });
  return kOk;
}
int ncclBroadcast(const void* in, void* out, size_t count, int type, int root, void* comm, void*) {
  START;
  const size_t bytes = count * size_of(type);
  const bool here = static_cast<Comm*>(comm)->rank == root;
  return collective(comm, here ? in : nullptr, bytes, out, bytes,
                    [=](const auto& inputs, const auto& outputs) {
                      for (void* to : outputs) std::memmove(to, inputs[root], bytes);
                    });
}
int ncclAllReduce(const void* in, void* out, size_t count, int type, int how, void* comm, void*) {
  START;
  const size_t bytes = count * size_of(type);
  return collective(comm, in, bytes, out, bytes, [=](const auto& inputs, const auto& outputs) {
    std::string all(bytes, '\0');
    join(inputs, all.data(), 0, count, type, how);
    for (void* to : outputs) std::memcpy(to, all.data(), bytes);
  });
}
int ncclReduce(const void* in, void* out, size_t count, int type, int how, int root, void* comm,
               void*) {
  START;
  const size_t bytes = count * size_of(type);
  const bool here = static_cast<Comm*>(comm)->rank == root;
  return collective(comm, in, bytes, here ? out : nullptr, bytes,
                    [=](const auto& inputs, const auto& outputs) {
                      join(inputs, outputs[root], 0, count, type, how);
                    });
}
int fake_nccl_pause(int pause) { return pause < 0 ? paused.load() : paused.exchange(pause - 1); }

int fake_nccl_live(void) {
  const std::lock_guard<std::mutex> lock(worlds_mutex());
  return live;
}

}  // extern "C"
