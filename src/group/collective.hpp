// What one call of a collective is, as the ranks tell it to each other: the checks, the way the
// bytes take and the messages all come from this.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "core/dtype.hpp"
#include "tensor/tensor.hpp"

namespace netcl::group {

inline constexpr uint32_t kRanksMax = NETCL_GROUP_SIZE_MAX;

enum class Op : uint32_t {
  barrier,
  all_reduce,
  reduce,
  broadcast,
  all_gather,
  gather,
  scatter,
  reduce_scatter,
  all_to_all,
  send,
  receive,
  split,
  // Sharded tensors: the ranks compare what they ask for.
  sharded_create,
  sharded_from_root,
  sharded_reduce,
  sharded_matmul,
  reducer_create,
  reducer_bucket,
  reducer_run
};
const char* op_name(Op op) noexcept;
// Of two ranks alone.
inline bool is_pair(Op op) noexcept { return op == Op::send || op == Op::receive; }

// What an all_to_all is the message of: it is named where ranks ask for different things.
enum class MessageOf : uint32_t {
  itself,
  create_from_root,
  redistribute,
  gather,
  exchange_halo
};

// A call as this rank makes it.
struct Call {
  Op op;
  netcl_reduction kind = 0;
  uint32_t root = 0;                  // of sends and receives the other rank
  std::span<const int64_t> counts{};  // of all_to_all; empty: equal parts
  TensorRef input{};                  // null where the rank has none
  TensorRef output{};
  uint64_t mark = 0;  // anything else that has to be equal; of all_reduce, what is in a bucket
  // Set when the ranks have gone on: a failure since is known to this one alone, all others to all.
  bool passed = false;
  MessageOf message_of = MessageOf::itself;
};

// The same as the others see it. Rows are entries along the first dimension; ops that part nothing
// have one element in a row.
struct Header {
  Op op = Op::barrier;
  uint32_t refused = 0;  // the rank failed before it could say more
  netcl_dtype dtype = 0;
  netcl_reduction kind = 0;
  uint32_t root = 0;
  uint32_t rank = 0;  // dimensions
  MessageOf message_of = MessageOf::itself;
  uint64_t mark = 0;
  uint64_t offer = 0;  // of split, see Link::part; 1 where NCCL does not reach a tensor
  std::array<int64_t, NETCL_RANK_MAX> shape{};  // with 0 for the first where ranks may differ in it
  int64_t in_rows = 0;
  int64_t out_rows = 0;  // -1: none is written
  uint64_t row_bytes = 0;
  // Of all_to_all alone, rows for each rank; the larger part, which nobody else sets or copies.
  std::array<int64_t, kRanksMax> counts;
};
inline constexpr size_t kHeaderBase = offsetof(Header, counts);

// Checks what a rank can see by itself; INVALID_ARGUMENT naming the argument.
Header describe(const Call& call, uint32_t me, uint32_t size);

// Whether this rank reads its input and writes its output.
bool reads(const Call& call, uint32_t me) noexcept;
bool writes(const Call& call, uint32_t me) noexcept;

// "" when the headers of all ranks agree, else what differs. All ranks find the same. `names` are
// the ranks' numbers in the group.
std::string disagreement(std::span<const Header> headers, std::span<const uint32_t> names);

// Parts the elements of a call that joins them among the ranks: the headers become those of a
// reduce_scatter.
void part_elements(std::span<Header> headers) noexcept;

// Which bytes of whose input go where.
class Flow {
 public:
  Flow(std::span<const Header> headers, uint32_t me) : headers_(headers), me_(me) {}

  struct Range {
    uint64_t offset = 0;
    uint64_t bytes = 0;
  };
  // What `to` needs of the input of `from`.
  Range range(uint32_t from, uint32_t to) const noexcept;
  // Where this rank puts what comes from a rank, unless all of it is joined.
  uint64_t place(uint32_t from) const noexcept;
  bool joins() const noexcept;
  // Whether all that need something of an input need all of it.
  bool same_for_all() const noexcept;
  // Bytes of a rank's input that anybody needs.
  uint64_t payload(uint32_t from) const noexcept;
  // What goes from one rank to another at most.
  uint64_t longest() const noexcept;

 private:
  const Header& header(uint32_t rank) const noexcept { return headers_[rank]; }
  uint64_t rows_before(uint32_t rank, int64_t Header::*rows) const noexcept;

  std::span<const Header> headers_;
  uint32_t me_;
};

}  // namespace netcl::group
