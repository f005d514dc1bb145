// Elements on their way between files and tensors, in pieces: a tensor may be larger than what is
// left of the host's memory.
#pragma once

#include "api/create.hpp"

namespace netcl::api {

// Gives the bytes [offset, offset + size) of the elements. Asked for one after the other.
using ReadElements = FunctionRef<void(uint64_t offset, void* data, size_t size)>;
// Takes the next bytes, which are a multiple of the element's and may be changed.
using TakeElements = FunctionRef<void(unsigned char* data, size_t size)>;

// Fills new memory, from its beginning on, with elements as a file has them.
void fill_elements(const Tensor& tensor, uint64_t bytes, bool swap_bytes, const TransferPlan& plan,
                   ReadElements read);

// Gives the elements of a tensor, which is written, in C order.
void give_elements(const TensorRef& tensor, TakeElements take);

// Packed with the first dimension as the fastest: the strides grow from the front.
Layout fortran_layout(uint32_t rank, const int64_t* shape);

}  // namespace netcl::api
