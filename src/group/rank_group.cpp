#include "group/rank_group.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/allocator.hpp"
#include "core/hash.hpp"
#include "group/held_memory.hpp"
#include "group/mpi_meeting.hpp"
#include "group/nccl_move.hpp"
#include "group/peer_move.hpp"
#include "group/rendezvous.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/copy_peer.hpp"
#include "ops/move/move.hpp"
#include "tensor/transfer.hpp"

namespace netcl::group {

Group::Group(DeviceRef device, std::vector<netcl_device_info> devices, std::shared_ptr<Link> link,
             uint32_t me, uint64_t timeout_ns, Members* above, std::vector<uint32_t> names)
    : device_(std::move(device)),
      devices_(std::move(devices)),
      members_(std::move(link), static_cast<uint32_t>(devices_.size()), me, timeout_ns, above,
               std::move(names)),
      all_(members_.link().board_of_all(members_), combine_),
      pairs_(members_.size()) {}

std::shared_ptr<Group> Group::join(DeviceRef device, const char* path, uint32_t rank, uint32_t size,
                                   netcl_group_transport wanted, uint64_t timeout_ns) {
  static constexpr size_t kPathMost = 100;
  const std::string place(path);
  if (place.empty() || place[0] != '/' || place.size() > kPathMost || place.back() == '/') {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "path is %s; it is the absolute name of a socket, of at most %zu bytes",
         quoted(path, 120).c_str(), kPathMost);
  }
  if (size == 0 || size > kRanksMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "size is %u; a group has 1 to %u ranks", size, kRanksMax);
  }
  if (rank >= size) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "index is %u; size is %u", rank, size);
  }
  Meeting meeting = meet_at(place, rank, size, wanted, device->info(), timeout_ns);
  auto link = std::make_shared<SharedLink>(std::move(meeting.segment), std::move(meeting.mesh),
                                           Board::all_ranks(size));
  std::shared_ptr<Group> group(
      new Group(std::move(device), std::move(meeting.devices), std::move(link), rank, timeout_ns));
  group->connect(wanted);
  return group;
}

std::vector<std::shared_ptr<Group>> Group::local(std::span<const DeviceRef> devices,
                                                 netcl_group_transport wanted,
                                                 uint64_t timeout_ns) {
  const auto size = static_cast<uint32_t>(devices.size());
  std::vector<netcl_device_info> infos;
  for (uint32_t r = 0; r < size; ++r) {
    const auto first = std::find(devices.begin(), devices.begin() + r, devices[r]);
    if (first != devices.begin() + r) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "devices[%u] is devices[%u] again", r,
           static_cast<unsigned>(first - devices.begin()));
    }
    infos.push_back(devices[r]->info());
  }
  Descriptor memory(-1);
  const auto segment = std::make_shared<Segment>(size, &memory);
  auto sockets = connect_ranks(size);
  std::vector<std::shared_ptr<Group>> groups;
  for (uint32_t r = 0; r < size; ++r) {
    auto mesh = std::make_shared<Mesh>(std::move(sockets[r]), r, Segment::left(segment));
    auto link = std::make_shared<SharedLink>(segment, std::move(mesh), Board::all_ranks(size));
    groups.push_back(
        std::shared_ptr<Group>(new Group(devices[r], infos, std::move(link), r, timeout_ns)));
    groups.back()->wanted_ = wanted;
  }
  connect_local(groups, wanted);
  return groups;
}

std::shared_ptr<Group> Group::of_mpi(DeviceRef device, int64_t communicator,
                                     netcl_group_transport wanted, uint64_t timeout_ns) {
  MpiMeeting meeting = meet_by_mpi(communicator, wanted, device->info(), timeout_ns);
  std::shared_ptr<Group> group(new Group(std::move(device), std::move(meeting.devices),
                                         std::move(meeting.link), meeting.rank, timeout_ns));
  group->connect(wanted);
  return group;
}

const netcl_device_info& Group::device_info(uint32_t rank) const {
  if (rank >= size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "index is %u; the group has %u ranks", rank, size());
  }
  return devices_[rank];
}

Exchange& Group::exchange_for(const Call& call) {
  if (!is_pair(call.op)) return all_;
  std::unique_ptr<Exchange>& pair = pairs_[call.root];
  if (pair == nullptr) {
    pair = std::make_unique<Exchange>(members_.link().board_of_pair(members_, call.root), combine_);
  }
  return *pair;
}

PeerRooms& Group::rooms_for(const Exchange& exchange) {
  const RoomsFor use = &exchange == &all_ ? RoomsFor::all_ranks : RoomsFor::pair;
  return rooms_.try_emplace(&exchange, device_, use).first->second;
}

// What went wrong here is what the caller hears.
void Group::refuse_at(Exchange* exchange, Op op) noexcept {
  try {
    Header header;
    header.op = op;
    header.refused = 1;
    exchange->run(header, {});
  } catch (...) {
  }
}

// The tensors of a call in C order.
struct Group::Packed {
  TensorRef in;   // null where nothing is read
  TensorRef out;  // the call's output, or what is copied there in the end
};

Group::Packed Group::pack(const Call& call, const ops::Run& run) const {
  Packed packed;
  if (reads(call, rank())) {
    ops::require_device(*call.input, run, "input");
    packed.in = ops::contiguous(call.input, nullptr, run.part());
  }
  if (writes(call, rank())) {
    ops::require_device(*call.output, run, "output");
    const Layout& layout = call.output->layout();
    packed.out = layout.is_c_contiguous()
                     ? call.output
                     : ops::new_tensor(call.output->dtype(), layout.rank, layout.shape.data(), run);
  }
  return packed;
}

namespace {

unsigned char* first_byte(void* memory, const TensorRef& tensor) {
  return memory == nullptr ? nullptr : static_cast<unsigned char*>(memory) + tensor->offset_bytes();
}

// On the built-in device, whose commands run in their calls, a call of a group is a command.
void run_as_command(Exchange* exchange, const Header& header, const TensorRef& in,
                    const TensorRef& out, const ops::Run& run, bool* passed) {
  std::array<Access, 2> accesses{};
  std::array<backend::Buffer*, 2> buffers{};
  size_t count = 0;
  const auto add = [&](const TensorRef& tensor, bool write) {
    if (tensor == nullptr || tensor->memory() == nullptr) return SIZE_MAX;
    accesses[count] = access_to(tensor.get(), write);
    buffers[count] = tensor->memory()->buffer.get();
    return count++;
  };
  const size_t in_at = add(in, false);
  const size_t out_at = add(out, true);
  if (count == 0) {
    // A command without memory would stand behind all of its queue, where another rank may wait.
    for (const backend::EventRef& event : run.waits) event->wait(Deadline(UINT64_MAX));
    exchange->run(header, {});
    *passed = true;
    return;
  }
  // It runs before the call returns, so references will do.
  const auto work = [&](const backend::NativeCall& call) {
    const auto at = [&](size_t index) { return index == SIZE_MAX ? nullptr : call.memory[index]; };
    const Bytes bytes{first_byte(at(in_at), in), first_byte(at(out_at), out)};
    wait_with_memory([&] { exchange->run(header, bytes); },
                     [&] {
                       return run.queue.set().awaited({accesses.data(), count});
                     });
    *passed = true;
  };
  backend::NativeFunctionOf native(work);
  ops::enqueue_function({accesses.data(), count}, {buffers.data(), count}, run, native);
}

uint64_t bytes_of(const TensorRef& tensor) { return tensor == nullptr ? 0 : tensor->byte_count(); }

HostMemory host_room(uint64_t bytes) {
  HostMemory memory = allocate_host(static_cast<size_t>(std::max<uint64_t>(bytes, 1)));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Another way from device to device, of messages from so many bytes of any rank on.
struct DeviceWay {
  uint64_t least;
  FunctionRef<Refusal(Exchange&)> move;
};

// On other devices the bytes go through memory of the host, or by the way that there is.
void run_on_device(Exchange* exchange, const DeviceWay& way, const Header& header,
                   const TensorRef& in, const TensorRef& out, const ops::Run& run, bool* passed) {
  TransferPlan plan;
  plan.queue = &run.queue;
  plan.waits = run.waits;
  for (const backend::EventRef& event : run.waits) event->wait(Deadline(UINT64_MAX));
  // The ranks go by the most that any of them gives.
  const bool large = bytes_of(in) >= way.least;
  const HostMemory read = host_room(large ? 0 : bytes_of(in));
  const HostMemory written = host_room(large ? 0 : bytes_of(out));
  auto* const source = static_cast<unsigned char*>(read.get());
  auto* const target = static_cast<unsigned char*>(written.get());
  // What is wrong with the input is told before the others begin.
  if (large) ops::wait_until_written(*in, run.queue.set());
  if (in != nullptr && !large) read_bytes(packed_span(*in), source, plan);
  bool by_host = true;
  Refusal refusal;
  const auto by_way = [&](Exchange& call) {
    const Board& board = call.board();
    const Flow flow(call.headers(), board.me());
    for (uint32_t r = 0; r < board.size(); ++r) by_host = by_host && flow.payload(r) < way.least;
    if (!by_host) refusal = way.move(call);
    return !by_host;
  };
  const Exchange::Other other(by_way);
  exchange->run(header,
                {in == nullptr || large ? nullptr : source, out == nullptr ? nullptr : target},
                &other);
  if (refusal) fail(refusal.status, std::move(refusal.text));
  *passed = true;
  if (out == nullptr || !by_host) return;
  plan.event = run.event;
  write_bytes(packed_span(*out), target, plan);
}

}  // namespace

void Group::call(Call* call, FunctionRef<ops::Run()> prepare) {
  const std::lock_guard<std::mutex> lock(mutex_);
  members_.link().begin_call();
  members_.check();
  if (is_pair(call->op) && (call->root >= size() || call->root == rank())) {
    prepare();
    fail(NETCL_ERROR_INVALID_ARGUMENT, "peer is %u; this is rank %u of %u", call->root, rank(),
         size());
  }
  Exchange& exchange = exchange_for(*call);
  if (&exchange == &all_) calls_.fetch_add(1, std::memory_order_relaxed);
  std::optional<ops::Run> run;
  Header header;
  Packed packed;
  try {
    run.emplace(prepare());
    header = describe(*call, rank(), size());
    packed = pack(*call, *run);
    if (nccl_ != nullptr) header.offer = needs_rooms(packed.in, packed.out) ? 1 : 0;
  } catch (...) {
    refuse_at(&exchange, call->op);
    throw;
  }
  const bool copied = packed.out != call->output && packed.out != nullptr;
  const ops::Run part = copied ? run->part() : *run;
  const uint64_t before = exchange.runs();
  try {
    const ops::Run worked = ops::with_work(part, [&] {
      return ops::work_of(op_name(call->op), header.dtype, 0.0, {packed.in.get()},
                          {packed.out.get()});
    });
    if (device_->backend().builtin()) {
      run_as_command(&exchange, header, packed.in, packed.out, worked, &call->passed);
    } else {
      const auto move = [&](Exchange& run_now) -> Refusal {
        if (peers_) {
          return move_by_peers(rooms_for(run_now), run_now, packed.in, packed.out, worked);
        }
        std::string text = move_by_nccl(*nccl_, run_now, packed.in, packed.out, worked);
        if (text.empty()) return {};
        return {NETCL_ERROR_OUT_OF_DEVICE_MEMORY, std::move(text)};
      };
      const uint64_t least = peers_ ? kPeersLeast : nccl_ != nullptr ? kNcclLeast : UINT64_MAX;
      run_on_device(&exchange, {least, move}, header, packed.in, packed.out, worked, &call->passed);
    }
  } catch (...) {
    // What it waits for before it takes part may fail too.
    if (exchange.runs() == before) refuse_at(&exchange, call->op);
    throw;
  }
  if (copied) ops::copy_into(*packed.out, *call->output, *run);
}

std::shared_ptr<Group> Group::split(FunctionRef<std::span<const uint32_t>()> prepare,
                                    Members* above) {
  Call call{Op::split};
  std::vector<uint32_t> ranks;
  std::vector<netcl_device_info> devices;
  uint32_t me = 0;
  const std::lock_guard<std::mutex> lock(mutex_);
  members_.link().begin_call();
  members_.check();
  calls_.fetch_add(1, std::memory_order_relaxed);
  Header header;
  try {
    const std::span<const uint32_t> colors = prepare();
    if (colors.size() != size()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "colors_count is %zu; the group has %u ranks",
           colors.size(), size());
    }
    for (uint32_t r = 0; r < size(); ++r) {
      if (colors[r] != colors[rank()]) continue;
      if (r == rank()) me = static_cast<uint32_t>(ranks.size());
      ranks.push_back(r);
      devices.push_back(devices_[r]);
    }
    call.mark = hash128(colors.data(), colors.size_bytes()).low;
    header = describe(call, rank(), size());
    header.offer = members_.link().draw_number();
  } catch (...) {
    refuse_at(&all_, call.op);
    throw;
  }
  all_.run(header, {});
  std::shared_ptr<Group> part;
  try {
    const uint64_t number = all_.header(ranks[0]).offer;
    part.reset(new Group(device_, std::move(devices), members_.link().part(members_, ranks, number),
                         me, timeout_ns(), above, ranks));
  } catch (...) {
    // So that no rank has a part that another has not.
    refuse_at(&all_, call.op);
    throw;
  }
  all_.run(header, {});
  part->members_.set_unnamed(true);
  part->connect(wanted_);
  part->members_.set_unnamed(false);
  return part;
}

std::shared_ptr<Group> Group::kept_part(std::span<const uint32_t> colors) {
  const std::lock_guard<std::mutex> lock(parts_mutex_);
  std::shared_ptr<Group>& part = parts_[std::vector<uint32_t>(colors.begin(), colors.end())];
  if (part == nullptr) part = split([&] { return colors; }, &members_);
  return part;
}

Header Group::agree(Op op, uint32_t root, FunctionRef<Header()> prepare) {
  const std::lock_guard<std::mutex> lock(mutex_);
  members_.link().begin_call();
  members_.check();
  calls_.fetch_add(1, std::memory_order_relaxed);
  Header header;
  try {
    if (root >= size()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "root is %u; the group has %u ranks", root, size());
    }
    header = prepare();
    header.op = op;
    header.root = root;
  } catch (...) {
    refuse_at(&all_, op);
    throw;
  }
  all_.run(header, {});
  return all_.header(root);
}

void Group::at_board(FunctionRef<void(Exchange&)> work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  members_.link().begin_call();
  members_.check();
  try {
    work(all_);
  } catch (...) {
    members_.give_up();
    throw;
  }
}

void Group::refuse(Op op, uint64_t since_ns) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  try {
    members_.link().begin_call();
  } catch (...) {
    return;
  }
  if (members_.is_lost()) return;
  calls_.fetch_add(1, std::memory_order_relaxed);
  members_.wait_since(since_ns);
  refuse_at(&all_, op);
  members_.wait_since(0);
}

}  // namespace netcl::group
