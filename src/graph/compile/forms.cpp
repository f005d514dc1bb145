#include "graph/compile/forms.hpp"

#include <algorithm>
#include <numeric>

#include "core/process.hpp"

namespace netcl::graph {

namespace {

// The functions that a thread is in, the innermost first.
struct Inside {
  const Forms* forms;
  const Inside* outer;
};
thread_local const Inside* t_inside = nullptr;

class InsideScope {
 public:
  explicit InsideScope(const Forms* forms) noexcept : inside_{forms, t_inside} {
    t_inside = &inside_;
  }
  ~InsideScope() { t_inside = inside_.outer; }
  InsideScope(const InsideScope&) = delete;
  InsideScope& operator=(const InsideScope&) = delete;

 private:
  const Inside inside_;
};

bool is_inside(const Forms* forms) noexcept {
  const Inside* inside = t_inside;
  while (inside != nullptr && inside->forms != forms) inside = inside->outer;
  return inside != nullptr;
}

// How the tensor that stands for an input lies: without gaps, with the dimensions in the input's
// order where it has no gaps either. It follows from the input alone, so that the same call gives
// the same bits whatever ran before.
Layout layout_for(const Tensor& input) {
  const Layout& given = input.layout();
  const Layout packed = packed_layout(given.rank, given.shape.data());
  if (input.empty() || given.is_c_contiguous()) return packed;
  std::vector<uint32_t> order;
  for (uint32_t d = 0; d < given.rank; ++d) {
    if (given.shape[d] > 1) order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return given.strides[a] < given.strides[b]; });
  int64_t next = 1;
  for (const uint32_t d : order) {
    if (given.strides[d] != next) return packed;
    next *= given.shape[d];
  }
  Layout layout = packed;
  for (uint32_t d = 0; d < given.rank; ++d) {
    layout.strides[d] = given.shape[d] > 1 ? given.strides[d] : 1;
  }
  return layout;
}

std::string key_of_inputs(std::span<const TensorRef> inputs) {
  std::string key;
  const auto add = [&key](const auto* values, size_t count) {
    key.append(reinterpret_cast<const char*>(values), count * sizeof *values);
  };
  for (const TensorRef& input : inputs) {
    const Layout layout = layout_for(*input);
    const netcl_dtype dtype = input->dtype();
    if (key.empty()) key.reserve(inputs.size() * (8 + 16 * size_t{layout.rank}));
    add(&dtype, 1);
    add(&layout.rank, 1);
    add(layout.shape.data(), layout.rank);
    add(layout.strides.data(), layout.rank);
  }
  return key;
}

}  // namespace

Forms::Forms(DeviceRef device, std::unique_ptr<const GraphFunction> function, FormsOptions options)
    : device_(std::move(device)),
      function_(std::move(function)),
      options_(options),
      kept_(options.most) {}

Forms::~Forms() = default;

void Forms::check_inputs(std::span<const TensorRef> inputs) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& input = *inputs[i];
    if (&input.device() != device_.get()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs[%zu] lives on device %s; the graph is on %s", i,
           input.device().text().c_str(), device_->text().c_str());
    }
    if (owner_of(*input.buffer()) != 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs[%zu] is a value of a capture, which has no memory",
           i);
    }
  }
}

CompiledGraphRef Forms::form(std::span<const TensorRef> inputs, std::string_view bound) {
  check_inputs(inputs);
  if (is_inside(this)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the function of a graph runs that graph, which would call the function again");
  }
  const std::string key = key_of_inputs(inputs).append(bound);
  FlightRef flight;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (const CompiledGraphRef* known = kept_.find(key)) return *known;
    const auto other = flights_.find(key);
    // A thread in the function of another graph waits for nobody: he might be waiting for it.
    if (other != flights_.end() && t_inside == nullptr) return wait_for(other->second, &lock);
    flight = std::make_shared<Flight>();
    flight->clears = clears_;
    flights_.try_emplace(key, flight);
  }
  return make(key, flight, inputs, bound);
}

CompiledGraphRef Forms::wait_for(const FlightRef& given, std::unique_lock<std::mutex>* lock) {
  const FlightRef flight = given;
  over_.wait(*lock, [&] { return flight->over; });
  if (flight->failure) throw Error(*flight->failure);
  return flight->made;
}

CompiledGraphRef Forms::make(const std::string& key, const FlightRef& flight,
                             std::span<const TensorRef> inputs, std::string_view bound) {
  const ProcessState* const before = &process();
  CompiledGraphRef made;
  try {
    made = record(flight.get(), inputs, bound);
    land(key, flight, made, std::nullopt);
  } catch (...) {
    // In a child that the function made nobody gives back the locks of the parent's other threads.
    if (&process() == before) land(key, flight, nullptr, caught_error());
    throw;
  }
  return made;
}

CompiledGraphRef Forms::record(Flight* flight, std::span<const TensorRef> inputs,
                               std::string_view bound) {
  const auto capture = std::make_shared<Graph>(device_, false);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    flight->capture = capture;
  }
  Interface interface;
  interface.may_ignore = options_.may_ignore;
  for (const TensorRef& input : inputs) {
    interface.inputs.push_back(capture->placeholder(input->dtype(), layout_for(*input)));
  }
  const ProcessState* const before = &process();
  {
    const InsideScope inside(this);
    interface.outputs = function_->record(capture, interface.inputs, options_.outputs, bound);
  }
  if (&process() != before) {
    fail(NETCL_ERROR_FORKED, "the function of a graph returned in a child of fork()");
  }
  if (capture->count() == 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "what the function recorded: the graph has no calls; those get call->run as their run");
  }
  try {
    return capture->compile(std::move(interface), options_.fuse);
  } catch (const Error& error) {
    throw Error(error.status(), "what the function recorded: " + error.message(),
                error.native_code());
  }
}

// What goes here may be the last to keep tensors whose owners call back: it goes without the lock.
void Forms::land(const std::string& key, const FlightRef& flight, CompiledGraphRef made,
                 std::optional<Error> failure) {
  CompiledGraphRef dropped;
  GraphRef capture;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto place = flights_.find(key);
  if (made != nullptr && flight->clears == clears_ && kept_.find(key) == nullptr) {
    std::string copy = key;
    if (kept_.size() == options_.most) dropped = kept_.take_oldest();
    kept_.insert(std::move(copy), made);
  }
  if (place != flights_.end() && place->second == flight) flights_.erase(place);
  capture.swap(flight->capture);
  flight->made = std::move(made);
  flight->failure = std::move(failure);
  flight->over = true;
  over_.notify_all();
}

// Forms that are being made serve those who wait for them, and are not kept.
void Forms::clear() noexcept {
  size_t left = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++clears_;
    flights_.clear();
    left = kept_.size();
  }
  for (; left > 0; --left) {
    CompiledGraphRef dropped;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (kept_.size() == 0) return;
    dropped = kept_.take_oldest();
  }
}

std::vector<CompiledGraphRef> Forms::kept() const {
  std::vector<CompiledGraphRef> found;
  const std::lock_guard<std::mutex> lock(mutex_);
  kept_.for_each([&](const CompiledGraphRef& form) { found.push_back(form); });
  return found;
}

std::vector<CompiledGraphRef> Forms::under_way() const {
  std::vector<GraphRef> captures;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [key, flight] : flights_) captures.push_back(flight->capture);
  }
  // A capture has a lock of its own.
  std::vector<CompiledGraphRef> found;
  for (const GraphRef& capture : captures) {
    CompiledGraphRef compiled = capture == nullptr ? nullptr : capture->compiled();
    if (compiled != nullptr) found.push_back(std::move(compiled));
  }
  return found;
}

}  // namespace netcl::graph
