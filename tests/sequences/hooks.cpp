#include <cstdlib>
#include <cstring>
#include <memory>

#include "checks.hpp"
#include "execute.hpp"

// As in dlpack.h, and behind it what this one is about.
struct DLManagedTensor {
  struct {
    void* data;
    struct {
      int32_t type, id;
    } device;
    int32_t ndim;
    struct {
      uint8_t code, bits;
      uint16_t lanes;
    } dtype;
    int64_t *shape, *strides;
    uint64_t offset;
  } tensor;
  void* context;
  void (*deleter)(DLManagedTensor*);
};

namespace sequences {

thread_local bool hook_ran;

namespace {

struct TokenState {
  std::atomic<int> destroyed{0};
  int expected = -1;
};

std::mutex tokens_lock;
std::vector<std::unique_ptr<TokenState>>& tokens() {
  static auto* all = new std::vector<std::unique_ptr<TokenState>>;
  return *all;
}

void log_hook(const netcl_log_record* record, void*) {
  if (record == nullptr || record->message[0] == '\0') fail("log record without a message", "");
}

void destroy_hook(void* user_data) {
  if (user_data != nullptr) static_cast<TokenState*>(user_data)->destroyed++;
}

netcl_status primitive_works(const netcl_primitive_call* call, netcl_tensor** made, void*) {
  hook_ran = true;
  if (call->grad != nullptr) {
    netcl_tensor* const inputs[] = {call->grad, call->inputs[0]};
    return netcl_op_expression_text("v0 * v1", inputs, 2, nullptr, call->run, &made[0]);
  }
  if (call->inputs_count < 2) return netcl_op_copy(call->inputs[0], call->run, &made[0]);
  return netcl_op_expression_text("v0 * v1", call->inputs, 2, nullptr, call->run, &made[0]);
}

netcl_status graph_works(const netcl_graph_call* call, netcl_tensor** made, void*) {
  hook_ran = true;
  if (call->inputs_count == 0) return NETCL_ERROR_INVALID_ARGUMENT;
  netcl_tensor* const inputs[] = {call->inputs[0], call->inputs[call->inputs_count - 1]};
  return netcl_op_expression_text("v0 + exp(v1)", inputs, 2, nullptr, call->run, &made[0]);
}

netcl_status work_works(netcl_queue* queue, void*) {
  hook_ran = true;
  netcl_event* event = nullptr;
  const netcl_status status = netcl_queue_enqueue_marker(queue, nullptr, 0, &event);
  netcl_event_release(event);
  return status;
}

// They fail as the header asks for it, and in ways of their own.
netcl_status primitive_fails(const netcl_primitive_call*, netcl_tensor**, void*) {
  hook_ran = true;
  netcl_last_error_set(NETCL_ERROR_IO, 0, "no file of weights");
  return NETCL_ERROR_IO;
}
netcl_status graph_fails(const netcl_graph_call*, netcl_tensor**, void*) {
  hook_ran = true;
  return -1234;
}
netcl_status work_fails(netcl_queue*, void*) {
  hook_ran = true;
  return NETCL_ERROR_NOT_FOUND;
}
netcl_status primitive_odd(const netcl_primitive_call*, netcl_tensor**, void*) {
  hook_ran = true;
  return NETCL_OK;  // and has made nothing
}
netcl_status graph_odd(const netcl_graph_call*, netcl_tensor**, void*) {
  hook_ran = true;
  return 7;
}
netcl_status work_odd(netcl_queue*, void*) {
  hook_ran = true;
  return NETCL_OK;  // and has enqueued nothing
}

}  // namespace

bool is_destroy(const Node& node) { return std::strcmp(node.field->type, "netcl_destroy_fn") == 0; }

// The hooks in the order of the API lock: log, destroy, primitive, graph, work.
void* hook_function(int hook, uint64_t id) {
  const auto of = [id](auto works, auto fails, auto odd) {
    return reinterpret_cast<void*>(id == kHookFails ? fails : id == kHookOdd ? odd : works);
  };
  switch (hook) {
    case 0:
      return reinterpret_cast<void*>(log_hook);
    case 1:
      return reinterpret_cast<void*>(destroy_hook);
    case 2:
      return of(primitive_works, primitive_fails, primitive_odd);
    case 3:
      return of(graph_works, graph_fails, graph_odd);
    case 4:
      return of(work_works, work_fails, work_odd);
    default:
      abort();
  }
}

void* new_token() {
  const std::lock_guard guard(tokens_lock);
  return tokens().emplace_back(std::make_unique<TokenState>()).get();
}

void expect_destroyed(void* token, bool destroyed) {
  static_cast<TokenState*>(token)->expected = destroyed;
}

void check_tokens() {
  for (const auto& token : tokens()) {
    const int count = token->destroyed;
    if (token->expected >= 0 && count != token->expected) {
      fail("user_data destroyed " + std::to_string(count) + " times",
           "and not " + std::to_string(token->expected));
    }
  }
  tokens().clear();
}

void* new_managed() {
  struct alignas(64) Managed {
    float values[16];
    DLManagedTensor managed;
    int64_t shape[1];
  };
  auto* made = static_cast<Managed*>(aligned_alloc(64, sizeof(Managed)));
  std::memset(made, 0, sizeof *made);
  auto& tensor = made->managed.tensor;
  tensor.data = made->values;
  tensor.device.type = 1;  // kDLCPU
  tensor.ndim = 1;
  tensor.dtype = {2, 32, 1};
  made->shape[0] = 4;
  tensor.shape = made->shape;
  made->managed.context = made;
  made->managed.deleter = [](DLManagedTensor* self) { free(self->context); };
  return &made->managed;
}

void release_managed(void* managed) {
  auto* self = static_cast<DLManagedTensor*>(managed);
  self->deleter(self);
}

}  // namespace sequences
