/*
 * netcl for C++17 and later: a layer of headers over netcl.h, which costs nothing beside it.
 *
 *     #include <netcl.hpp>
 *
 *     auto device = netcl::device::open("auto");
 *     auto x = netcl::tensor_from(device, std::vector<float>{1, 2, 3, 4}, {2, 2});
 *     auto y = netcl::op::matmul(x, x);
 *     std::vector<float> host = netcl::to_vector<float>(y);
 *
 * Names.     netcl_tensor_get_info is a method, tensor.info(); netcl_tensor_create_zeros a static
 *   one, netcl::tensor::create_zeros; netcl_op_matmul is netcl::op::matmul; and what belongs to no
 *   handle has the name of C: netcl::profile_start. netcl.h says what each does.
 * Handles.   netcl::tensor owns one reference: it moves, gives the reference back at its end, and
 *   share() makes another one. Functions take a netcl::tensor_ref, which is the handle alone.
 * Options.   netcl::matmul_options().scale(2, 0).epilogue(...): a setter for each member of the
 *   struct of C, whose functions take it as it is. Lists, texts, bytes and other options are copied
 *   when they are set; handles are those of who owns them, and where an event goes has to stay. An
 *   op takes its own and netcl::run_options, or either.
 * Errors.    A call that fails throws netcl::error, with its status() and message, what(). Where
 *   exceptions are off, or NETCL_HPP_EXPECTED is 1, a call gives a netcl::result<T> instead, and a
 *   program may have files of both kinds. netcl::attempt(f) gives the result of one function.
 * Lists.     Braces, arrays, vectors and spans. netcl::span is std::span from C++20 on.
 * Time.      std::chrono; a wait without a time has no limit.
 *
 * Macros such as NETCL_RANK_MAX are those of C, and so is what netcl.h says of threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_HPP
#define NETCL_HPP

#if __cplusplus < 201703L
#error "netcl.hpp needs C++17: compile with -std=c++17 or later, or use netcl.h"
#else

/* Parameters are called as in netcl.h, where a device is `device`: here that is a type too. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <netcl/making.hpp>
#pragma GCC diagnostic pop

#endif /* C++17 */

#endif /* NETCL_HPP */
