// One rank of a group: its calls, in their order, and what it needs for them.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "group/exchange.hpp"
#include "group/nccl_comm.hpp"
#include "group/nccl_offer.hpp"
#include "group/peer_rooms.hpp"
#include "ops/frame/run.hpp"

namespace netcl::group {

class Group {
 public:
  static std::shared_ptr<Group> join(DeviceRef device, const char* path, uint32_t rank,
                                     uint32_t size, netcl_group_transport wanted,
                                     uint64_t timeout_ns);
  // One rank for each of the devices.
  static std::vector<std::shared_ptr<Group>> local(std::span<const DeviceRef> devices,
                                                   netcl_group_transport wanted,
                                                   uint64_t timeout_ns);
  static std::shared_ptr<Group> of_mpi(DeviceRef device, int64_t communicator,
                                       netcl_group_transport wanted, uint64_t timeout_ns);
  // This rank in the group of its colour.
  std::shared_ptr<Group> split(FunctionRef<std::span<const uint32_t>()> prepare) {
    return split(prepare, nullptr);
  }

  // The same, kept with the group for the next call with these colours. What makes it unusable
  // makes the group so.
  std::shared_ptr<Group> kept_part(std::span<const uint32_t> colors);
  // Compares what the ranks ask for, of which `prepare` gives dtype, rank, shape and mark, and
  // gives what rank `root` says.
  Header agree(Op op, uint32_t root, FunctionRef<Header()> prepare);
  // Where the ranks tell each other what belongs to a call that they have agreed on. What fails
  // makes the group unusable.
  void at_board(FunctionRef<void(Exchange&)> work);
  // Lets the others know that this rank does not make the next call. Several groups that are told
  // one after the other are waited for together, from `since_ns` on; 0: from now on.
  void refuse(Op op, uint64_t since_ns = 0) noexcept;
  // Makes the group unusable, as this rank cannot go on.
  void give_up() noexcept { members_.give_up(); }
  // Throws where the calling thread cannot make a call.
  void check_thread() { members_.link().begin_call(); }

  const DeviceRef& device() const noexcept { return device_; }
  const netcl_device_info& device_info(uint32_t rank) const;
  uint32_t rank() const noexcept { return members_.me(); }
  uint32_t size() const noexcept { return members_.size(); }
  uint64_t timeout_ns() const noexcept { return members_.timeout_ns(); }
  netcl_group_transport transport() const noexcept {
    return peers_             ? NETCL_GROUP_TRANSPORT_PEER_MEMORY
           : nccl_ != nullptr ? NETCL_GROUP_TRANSPORT_NCCL
                              : members_.link().transport();
  }
  uint64_t calls() const noexcept { return calls_.load(std::memory_order_relaxed); }
  netcl_status failure(std::string* message) const { return members_.loss(message); }

  // Makes a call of all ranks, or with `call.root` of this one and that. `prepare` fills the call
  // in and gives how it runs; where it throws, the others get to know that this rank refuses, and
  // so does whatever is wrong with the call.
  void call(Call* call, FunctionRef<ops::Run()> prepare);

 private:
  struct Packed;
  // The rank `me` of those that have the devices.
  Group(DeviceRef device, std::vector<netcl_device_info> devices, std::shared_ptr<Link> link,
        uint32_t me, uint64_t timeout_ns, Members* above = nullptr,
        std::vector<uint32_t> names = {});
  std::shared_ptr<Group> split(FunctionRef<std::span<const uint32_t>()> prepare, Members* above);
  // Finds the way from device to device: `wanted`, or with AUTO the first that all ranks have.
  void connect(netcl_group_transport wanted);
  // Whether the ranks' devices reach each other's memory.
  bool connect_peers();
  // The same for ranks of one process, of whom one thread makes all.
  static bool reach_each_other(std::span<const std::shared_ptr<Group>> groups,
                               netcl_group_transport wanted);
  // Makes the ranks' way to NCCL, once all ranks have offered it; where one gets no communicator
  // none keeps its own.
  void connect_nccl(const NcclId& id);
  static void connect_local(std::span<const std::shared_ptr<Group>> groups,
                            netcl_group_transport wanted);
  NcclOutcome make_nccl(const NcclId& id);
  PeerRooms& rooms_for(const Exchange& exchange);
  Exchange& exchange_for(const Call& call);
  void refuse_at(Exchange* exchange, Op op) noexcept;
  Packed pack(const Call& call, const ops::Run& run) const;

  const DeviceRef device_;
  const std::vector<netcl_device_info> devices_;
  netcl_group_transport wanted_ = NETCL_GROUP_TRANSPORT_AUTO;  // by who made it
  Members members_;
  std::mutex mutex_;  // of the calls
  Combine combine_;
  Exchange all_;
  bool peers_ = false;                            // the devices reach each other's memory
  std::map<const Exchange*, PeerRooms> rooms_;    // then, made by the first message
  std::unique_ptr<NcclComm> nccl_;                // null where the ranks have none
  std::vector<std::unique_ptr<Exchange>> pairs_;  // made by the first send or receive
  std::atomic<uint64_t> calls_{0};
  std::mutex parts_mutex_;
  std::map<std::vector<uint32_t>, std::shared_ptr<Group>> parts_;  // by their colours
};

}  // namespace netcl::group
