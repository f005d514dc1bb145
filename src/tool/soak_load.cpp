// The pieces of work of a soak. Each gives the same bytes every time.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "soak.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr size_t kExpressions = 50, kKernels = 8, kWords = 4096;
/// Every so many pieces of work what they use is made anew.
constexpr uint64_t kAnew = 50;

netcl_run_options on(netcl_queue* queue) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  return run;
}

Bytes read_bytes(netcl_tensor* tensor, netcl_queue* queue) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  check(netcl_tensor_get_info(tensor, &info), "netcl_tensor_get_info");
  Bytes bytes(info.byte_count);
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  options.queue = queue;
  check(netcl_tensor_read(tensor, bytes.data(), bytes.size(), &options, kPatienceNs),
        "netcl_tensor_read");
  return bytes;
}

void compare(const char* what, const Bytes& got, const Bytes& wanted) {
  if (got == wanted) return;
  size_t at = 0;
  while (at < got.size() && at < wanted.size() && got[at] == wanted[at]) ++at;
  throw ToolError(format("%s gave a wrong result: byte %zu of %zu differs from the reference", what,
                         at, wanted.size()));
}

Bytes bytes_of(const std::vector<uint32_t>& words) {
  Bytes bytes(words.size() * sizeof words[0]);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::vector<uint32_t> random_words(RandomWords& random, size_t count) {
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = static_cast<uint32_t>(random.next());
  return words;
}

Tensor floats(netcl_device* device, RandomWords& random, const std::vector<int64_t>& shape) {
  size_t count = 1;
  for (const int64_t extent : shape) count *= static_cast<size_t>(extent);
  const std::vector<float> values = random.floats(count);
  Tensor tensor;
  check(netcl_tensor_create_from_host(device, NETCL_F32, static_cast<uint32_t>(shape.size()),
                                      shape.data(), nullptr, values.data(),
                                      values.size() * sizeof(float), nullptr, tensor.receive()),
        "netcl_tensor_create_from_host");
  return tensor;
}

std::string kernel_source(uint32_t factor) {
  return format(
      "__kernel void soak_words(__global const uint* in, __global uint* out, uint more) {\n"
      "  size_t i = get_global_id(0);\n"
      "  uint x = in[i] * %uu + more;\n"
      "  out[i] = x ^ (x >> 15);\n"
      "}\n",
      factor);
}

Kernel make_kernel(netcl_device* device, uint32_t factor) {
  const std::string source = kernel_source(factor);
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = source.c_str();
  Kernel kernel;
  check(netcl_kernel_create(device, "soak_words", &options, kernel.receive()),
        "netcl_kernel_create");
  return kernel;
}

constexpr uint32_t factor_of(size_t kernel) {
  return 2654435761u + 2 * static_cast<uint32_t>(kernel);
}

}  // namespace

struct SoakLoad::Data {
  struct Op {
    const char* name;
    netcl_status (*call)(const Data& data, const Op& op, const netcl_run_options* run,
                         netcl_tensor** result);
    std::string text{};  // of an expression
    Bytes reference{};
  };
  netcl_device* device;
  Tensor a, b, rows, image, filters;
  Tensor words;
  std::vector<uint32_t> host_words;
  std::vector<Op> ops;
  std::vector<Op> expressions;
  std::vector<Kernel> kernels;
  Owner<netcl_graph, netcl_graph_release> graph;
  Bytes graph_reference;

  Data(netcl_device* opened, RandomWords& random);
  static std::vector<Op> soak_ops();
  static std::vector<Op> soak_expressions();
  Tensor result_of(const Op& op, netcl_queue* queue) const;
  void check_op(const Op& op, const SoakWorker& worker) const;
  Owner<netcl_graph, netcl_graph_release> make_graph() const;
  Tensor run_graph(netcl_graph* compiled, netcl_queue* queue) const;

  static void run_op(const Data& data, SoakWorker& worker);
  static void run_expression(const Data& data, SoakWorker& worker);
  static void run_kernel(const Data& data, SoakWorker& worker);
  static void run_any_graph(const Data& data, SoakWorker& worker);
  static void run_lease(const Data& data, SoakWorker& worker);
  static void run_transfer(const Data& data, SoakWorker& worker);
  static void run_queue(const Data& data, SoakWorker& worker);
};

std::vector<SoakLoad::Data::Op> SoakLoad::Data::soak_ops() {
  using Run = const netcl_run_options*;
  using Out = netcl_tensor**;
  return {{"netcl_op_matmul",
           [](const Data& data, const Op&, Run run, Out y) {
             return netcl_op_matmul(data.a.get(), data.b.get(), nullptr, run, y);
           }},
          {"netcl_op_softmax", [](const Data& data, const Op&, Run run,
                                  Out y) { return netcl_op_softmax(data.rows.get(), 1, run, y); }},
          {"netcl_op_layernorm",
           [](const Data& data, const Op&, Run run, Out y) {
             return netcl_op_layernorm(data.rows.get(), 1, nullptr, run, y);
           }},
          {"netcl_op_reduce",
           [](const Data& data, const Op&, Run run, Out y) {
             return netcl_op_reduce(data.rows.get(), NETCL_REDUCTION_SUM, nullptr, run, y);
           }},
          {"netcl_op_scan",
           [](const Data& data, const Op&, Run run, Out y) {
             return netcl_op_scan(data.rows.get(), NETCL_REDUCTION_MAX, 1, nullptr, run, y);
           }},
          {"netcl_op_topk",
           [](const Data& data, const Op&, Run run, Out y) {
             Tensor places;
             return netcl_op_topk(data.rows.get(), 5, 1, nullptr, run, y, places.receive());
           }},
          {"netcl_op_conv2d", [](const Data& data, const Op&, Run run, Out y) {
             return netcl_op_conv2d(data.image.get(), data.filters.get(), nullptr, run, y);
           }}};
}

std::vector<SoakLoad::Data::Op> SoakLoad::Data::soak_expressions() {
  std::vector<Op> all;
  for (size_t i = 0; i < kExpressions; ++i) {
    all.push_back(
        {"netcl_op_expression_text",
         [](const Data& data, const Op& op, const netcl_run_options* run, netcl_tensor** y) {
           netcl_tensor* const inputs[2] = {data.rows.get(), data.rows.get()};
           return netcl_op_expression_text(op.text.c_str(), inputs, 2, nullptr, run, y);
         },
         format("relu(v0 * %zu.5 + v1) - exp(v1 * 0.%zu)", i, i)});
  }
  return all;
}

SoakLoad::Data::Data(netcl_device* opened, RandomWords& random)
    : device(opened),
      a(floats(opened, random, {64, 96})),
      b(floats(opened, random, {96, 64})),
      rows(floats(opened, random, {32, 256})),
      image(floats(opened, random, {2, 8, 16, 16})),
      filters(floats(opened, random, {16, 8, 3, 3})),
      host_words(random_words(random, kWords)) {
  const auto count = static_cast<int64_t>(kWords);
  check(netcl_tensor_create_from_host(device, NETCL_U32, 1, &count, nullptr, host_words.data(),
                                      kWords * sizeof(uint32_t), nullptr, words.receive()),
        "netcl_tensor_create_from_host");
  ops = soak_ops();
  expressions = soak_expressions();
  for (std::vector<Op>* const list : {&ops, &expressions}) {
    for (Op& op : *list) {
      op.reference = read_bytes(result_of(op, nullptr).get(), nullptr);
      compare(op.name, read_bytes(result_of(op, nullptr).get(), nullptr), op.reference);
    }
  }
  graph = make_graph();
  graph_reference = read_bytes(run_graph(graph.get(), nullptr).get(), nullptr);
}

Tensor SoakLoad::Data::result_of(const Op& op, netcl_queue* queue) const {
  const netcl_run_options run = on(queue);
  Tensor result;
  check(op.call(*this, op, &run, result.receive()), op.name);
  return result;
}

Owner<netcl_graph, netcl_graph_release> SoakLoad::Data::make_graph() const {
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  options.execute = NETCL_OFF;
  Owner<netcl_graph, netcl_graph_release> made;
  check(netcl_graph_create(device, &options, made.receive()), "netcl_graph_create");
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.graph = made.get();
  Tensor product, scaled, odds;
  check(netcl_op_matmul(a.get(), b.get(), nullptr, &run, product.receive()), "matmul");
  netcl_tensor* const of_product[1] = {product.get()};
  check(netcl_op_expression_text("tanh(v0 * 0.25) + 1", of_product, 1, nullptr, &run,
                                 scaled.receive()),
        "expression");
  check(netcl_op_softmax(scaled.get(), 1, &run, odds.receive()), "softmax");
  netcl_tensor* const inputs[1] = {a.get()};
  netcl_tensor* const outputs[1] = {odds.get()};
  check(netcl_graph_compile(made.get(), inputs, 1, outputs, 1, nullptr), "netcl_graph_compile");
  return made;
}

Tensor SoakLoad::Data::run_graph(netcl_graph* compiled, netcl_queue* queue) const {
  netcl_tensor* const inputs[1] = {a.get()};
  const netcl_run_options run = on(queue);
  Tensor result;
  uint32_t count = 0;
  check(netcl_graph_evaluate(compiled, inputs, 1, &run, result.receive(), 1, &count),
        "netcl_graph_evaluate");
  return result;
}

void SoakLoad::Data::check_op(const Op& op, const SoakWorker& worker) const {
  netcl_queue* const queue = worker.queue.get();
  compare(op.name, read_bytes(result_of(op, queue).get(), queue), op.reference);
}

void SoakLoad::Data::run_op(const Data& data, SoakWorker& worker) {
  data.check_op(data.ops[worker.random.next() % data.ops.size()], worker);
}

void SoakLoad::Data::run_expression(const Data& data, SoakWorker& worker) {
  data.check_op(data.expressions[worker.random.next() % data.expressions.size()], worker);
}

void SoakLoad::Data::run_kernel(const Data& data, SoakWorker& worker) {
  const size_t which = worker.random.next() % kKernels;
  const auto more = static_cast<uint32_t>(worker.random.next());
  Kernel own;
  if (worker.random.next() % kAnew == 0) own = make_kernel(data.device, factor_of(which));
  const Kernel& kernel = own.get() != nullptr ? own : data.kernels[which];
  const auto count = static_cast<int64_t>(kWords);
  const uint64_t global = kWords;
  Tensor out;
  check(netcl_tensor_create(data.device, NETCL_U32, 1, &count, nullptr, nullptr, out.receive()),
        "netcl_tensor_create");
  netcl_arg args[3] = {NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT};
  args[0].kind = args[1].kind = NETCL_ARG_TENSOR;
  args[0].tensor = data.words.get();
  args[1].tensor = out.get();
  args[2].kind = NETCL_ARG_SCALAR;
  args[2].size = sizeof more;
  std::memcpy(args[2].value, &more, sizeof more);
  const netcl_run_options run = on(worker.queue.get());
  check(netcl_kernel_launch(kernel.get(), &global, 1, nullptr, 0, args, 3, nullptr, &run),
        "netcl_kernel_launch");
  std::vector<uint32_t> wanted = data.host_words;
  for (uint32_t& word : wanted) {
    word = word * factor_of(which) + more;
    word ^= word >> 15;
  }
  compare("a kernel", read_bytes(out.get(), worker.queue.get()), bytes_of(wanted));
}

void SoakLoad::Data::run_any_graph(const Data& data, SoakWorker& worker) {
  Owner<netcl_graph, netcl_graph_release> own;
  if (worker.random.next() % kAnew == 0) own = data.make_graph();
  netcl_graph* const graph = own.get() != nullptr ? own.get() : data.graph.get();
  const Tensor result = data.run_graph(graph, worker.queue.get());
  compare("a graph", read_bytes(result.get(), worker.queue.get()), data.graph_reference);
}

/// Leases that overlap, each filled with a number of its own.
void SoakLoad::Data::run_lease(const Data&, SoakWorker& worker) {
  constexpr size_t kLeases = 4;
  const netcl_run_options run = on(worker.queue.get());
  Buffer buffers[kLeases];
  Tensor tensors[kLeases];
  Bytes wanted[kLeases];
  for (size_t i = 0; i < kLeases; ++i) {
    const auto count = static_cast<int64_t>(1 + worker.random.next() % 16384);
    const auto value = static_cast<unsigned char>(worker.random.next());
    wanted[i].assign(static_cast<size_t>(count), value);
    check(
        netcl_pool_allocate(worker.pool.get(), static_cast<uint64_t>(count), buffers[i].receive()),
        "netcl_pool_allocate");
    check(netcl_tensor_create_from_buffer(buffers[i].get(), 0, NETCL_U8, 1, &count, nullptr,
                                          tensors[i].receive()),
          "netcl_tensor_create_from_buffer");
    check(netcl_op_fill(tensors[i].get(), &value, &run), "netcl_op_fill");
  }
  for (size_t i = 0; i < kLeases; ++i) {
    compare("a lease", read_bytes(tensors[i].get(), worker.queue.get()), wanted[i]);
  }
  if (worker.random.next() % kAnew == 0) {
    check(netcl_pool_trim(worker.pool.get(), 0), "netcl_pool_trim");
  }
}

/// Random numbers to the device, and every second one of them back.
void SoakLoad::Data::run_transfer(const Data& data, SoakWorker& worker) {
  const auto count = static_cast<int64_t>(2 + worker.random.next() % 16384);
  const std::vector<uint32_t> sent = random_words(worker.random, static_cast<size_t>(count));
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  options.queue = worker.queue.get();
  Tensor tensor, view;
  check(netcl_tensor_create_from_host(data.device, NETCL_U32, 1, &count, nullptr, sent.data(),
                                      sent.size() * sizeof sent[0], &options, tensor.receive()),
        "netcl_tensor_create_from_host");
  const netcl_range range = {count - 1, (count + 1) / 2, -2};
  check(netcl_tensor_slice(tensor.get(), &range, 1, view.receive()), "netcl_tensor_slice");
  std::vector<uint32_t> wanted;
  for (int64_t at = count - 1; at >= 0; at -= 2) wanted.push_back(sent[static_cast<size_t>(at)]);
  compare("a transfer", read_bytes(view.get(), worker.queue.get()), bytes_of(wanted));
}

/// A queue that lives for one copy, waited for by its event.
void SoakLoad::Data::run_queue(const Data& data, SoakWorker& worker) {
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  Queue queue;
  Event event;
  Tensor copy;
  check(netcl_queue_create(data.device, &options, queue.receive()), "netcl_queue_create");
  netcl_run_options run = on(queue.get());
  run.event = event.receive();
  check(netcl_op_copy(data.words.get(), &run, copy.receive()), "netcl_op_copy");
  queue.reset();
  check(netcl_event_wait(event.get(), kPatienceNs), "netcl_event_wait");
  compare("a copy", read_bytes(copy.get(), worker.queue.get()), bytes_of(data.host_words));
}

SoakLoad::SoakLoad(netcl_device* device, uint64_t seed)
    : works_{{"op", 30, Data::run_op},
             {"expression", 15, Data::run_expression},
             {"graph", 15, Data::run_any_graph},
             {"lease", 10, Data::run_lease},
             {"transfer", 12, Data::run_transfer},
             {"queue", 3, Data::run_queue}} {
  RandomWords random(seed);
  data_ = std::make_unique<Data>(device, random);
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  check(netcl_device_get_info(device, &info), "netcl_device_get_info");
  if (info.backend == NETCL_BACKEND_BUILTIN) {
    left_out_.emplace_back("kernels from source, which the built-in device does not run");
  } else {
    for (size_t i = 0; i < kKernels; ++i) {
      data_->kernels.push_back(make_kernel(device, factor_of(i)));
    }
    works_.push_back({"kernel", 15, Data::run_kernel});
  }
  for (const Work& work : works_) weights_ += work.weight;
}

SoakLoad::~SoakLoad() = default;

SoakWorker SoakLoad::worker(uint64_t seed, unsigned number) const {
  SoakWorker made;
  made.random = RandomWords(seed + 1000003 * (uint64_t{number} + 1));
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  options.kind = NETCL_POOL_POWER_OF_TWO;
  check(netcl_pool_create(data_->device, &options, made.pool.receive()), "netcl_pool_create");
  if (number % 2 == 0) {
    check(netcl_device_get_queue(data_->device, made.queue.receive()), "netcl_device_get_queue");
  } else {
    check(netcl_queue_create(data_->device, nullptr, made.queue.receive()), "netcl_queue_create");
  }
  return made;
}

void SoakLoad::warm_up(SoakWorker& worker) const {
  for (const Work& work : works_) {
    for (uint64_t i = 0; i < kAnew; ++i) work.run(*data_, worker);
  }
}

void SoakLoad::step(SoakWorker& worker) const {
  uint64_t drawn = worker.random.next() % weights_;
  for (const Work& work : works_) {
    if (drawn < work.weight) return work.run(*data_, worker);
    drawn -= work.weight;
  }
}

}  // namespace netcl::tool
