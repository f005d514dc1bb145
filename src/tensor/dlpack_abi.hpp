// The part of the DLPack ABI that tensors cross it with, declared from its specification, so that
// building needs no DLPack package. The layouts and numbers are those of DLPack 0.2 and later. The
// names are in the global namespace because netcl.h speaks of `struct DLManagedTensor`. Internal:
// no user sees this file, and it steps aside when DLPack's own header was included before it.
#pragma once

#ifndef DLPACK_DLPACK_H_

#include <cstddef>
#include <cstdint>

// Where memory lies. Other values exist; they are refused by number.
enum DLDeviceType : int32_t { kDLCPU = 1, kDLCUDA = 2, kDLOpenCL = 4 };

// What an element is, together with its bits.
enum DLDataTypeCode {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6
};

struct DLDevice {
  DLDeviceType device_type;
  int32_t device_id;
};

struct DLDataType {
  uint8_t code;  // a DLDataTypeCode
  uint8_t bits;  // of one lane
  uint16_t lanes;
};

struct DLTensor {
  void* data;  // on OpenCL the cl_mem
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;      // in elements; NULL means packed in C order
  uint64_t byte_offset;  // from data to the first element
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;                       // of whoever made it
  void (*deleter)(DLManagedTensor* self);  // may be NULL
};

static_assert(sizeof(DLDevice) == 8 && sizeof(DLDataType) == 4);
static_assert(offsetof(DLTensor, dtype) == sizeof(void*) + 12);
static_assert(sizeof(void*) != 8 || sizeof(DLTensor) == 48);
static_assert(sizeof(void*) != 8 || sizeof(DLManagedTensor) == 64);

#endif  // DLPACK_DLPACK_H_
