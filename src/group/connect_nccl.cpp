// How the ranks of a group come to communicators of NCCL, or do without.
#include <algorithm>

#include "core/error.hpp"
#include "core/log.hpp"
#include "group/nccl_offer.hpp"
#include "group/rank_group.hpp"

namespace netcl::group {

namespace {

// What each rank has to tell of such, for Exchange::run.
template <class T>
Header header_of_all(uint32_t size) {
  Header header;
  header.op = Op::all_gather;
  header.dtype = NETCL_U8;
  header.rank = 1;
  header.in_rows = 1;
  header.out_rows = size;
  header.row_bytes = sizeof(T);
  return header;
}
template <class T>
Bytes bytes_of_all(const T& own, std::vector<T>* all) {
  return {reinterpret_cast<const unsigned char*>(&own),
          reinterpret_cast<unsigned char*>(all->data())};
}

}  // namespace

// The bytes of GPUs go by the memory that they reach of each other; else, where every rank has a
// GPU of CUDA of its own and that library, by NCCL.
void Group::connect(netcl_group_transport wanted) {
  wanted_ = wanted;
  peers_ = connect_peers();
  if (peers_ || !may_be_nccl(wanted, devices_)) return;
  std::vector<NcclOffer> offers(size());
  try {
    const NcclOffer own = make_offer(*device_, rank() == 0);
    all_.run(header_of_all<NcclOffer>(size()), bytes_of_all(own, &offers));
  } catch (...) {
    members_.give_up();
    throw;
  }
  if (takes_nccl(offers, wanted)) connect_nccl(offers[0].id);
}

NcclOutcome Group::make_nccl(const NcclId& id) {
  std::atomic<uint32_t>& none = members_.link().front().no_nccl;
  NcclOutcome outcome;
  try {
    nccl_ = std::make_unique<NcclComm>(members_, device_->backend().sharing().cuda, id);
    nccl_->finish();
  } catch (const Error& error) {
    members_.check();
    if (error.status() == NETCL_ERROR_CANCELLED) throw;
    nccl_.reset();
    // Those that wait for this rank within NCCL hear of it.
    outcome.kind = none.exchange(1) == 0 ? NcclOutcome::failed : NcclOutcome::followed;
    copy_line(outcome.reason, sizeof outcome.reason, error.message().c_str());
  }
  return outcome;
}

void Group::connect_nccl(const NcclId& id) {
  std::vector<NcclOutcome> outcomes(size());
  try {
    const NcclOutcome own = make_nccl(id);
    // No rank leaves before all have theirs.
    all_.run(header_of_all<NcclOutcome>(size()), bytes_of_all(own, &outcomes));
  } catch (...) {
    members_.give_up();
    throw;
  }
  const bool all = std::all_of(outcomes.begin(), outcomes.end(), [](const NcclOutcome& outcome) {
    return outcome.kind == NcclOutcome::made;
  });
  if (!all) nccl_.reset();
  (void)keeps_nccl(outcomes, wanted_);
}

// One thread makes those of all ranks, which wait for each other: all begin before one ends.
void Group::connect_local(std::span<const std::shared_ptr<Group>> groups,
                          netcl_group_transport wanted) {
  if (reach_each_other(groups, wanted)) {
    for (const auto& group : groups) group->peers_ = true;
    return;
  }
  if (!may_be_nccl(wanted, groups[0]->devices_)) return;
  std::vector<NcclOffer> offers;
  for (const auto& group : groups) offers.push_back(make_offer(*group->device_, offers.empty()));
  if (!takes_nccl(offers, wanted)) return;
  std::vector<NcclOutcome> outcomes(groups.size());
  size_t at = 0;
  try {
    std::vector<NcclComm*> comms;
    for (; at < groups.size(); ++at) {
      Group& group = *groups[at];
      group.nccl_ = std::make_unique<NcclComm>(
          group.members_, group.device_->backend().sharing().cuda, offers[0].id);
      comms.push_back(group.nccl_.get());
    }
    NcclComm::finish_all(comms, &at);
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_CANCELLED) throw;
    outcomes[at].kind = NcclOutcome::failed;
    copy_line(outcomes[at].reason, sizeof outcomes[at].reason, error.message().c_str());
    for (const auto& group : groups) group->nccl_.reset();
  }
  (void)keeps_nccl(outcomes, wanted);
}

}  // namespace netcl::group
