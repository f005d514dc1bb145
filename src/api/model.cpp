#include "model/model.hpp"

#include "api/create.hpp"
#include "api/graph_lists.hpp"
#include "graph/compile/explain.hpp"
#include "ops/move/move.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

model::ModelOptions read_model_options(const netcl_model_options* given) {
  const netcl_model_options checked = read_options(given, "options");
  model::ModelOptions options;
  if (checked.dtype != 0 && checked.dtype != NETCL_F32) {
    if (checked.dtype != NETCL_F16 && checked.dtype != NETCL_BF16) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->dtype is %d; it is NETCL_F16, NETCL_BF16, NETCL_F32 or 0", checked.dtype);
    }
    options.short_dtype = checked.dtype;
  }
  if (checked.forms_most != 0) options.forms_most = checked.forms_most;
  options.fuse = resolve_toggle(checked.fuse, true, "options->fuse");
  return options;
}

void give_value(const model::Model& model, const model::FileValue& value, netcl_model_value* info) {
  check_info(info, "value");
  netcl_model_value full = NETCL_MODEL_VALUE_INIT;
  model.describe_value(value, &full);
  copy_text(full.name, sizeof full.name, value.name.c_str());
  copy_text(full.dimensions, sizeof full.dimensions, model::dimensions_text(value).c_str());
  write_info(info, full);
}

void require_index(uint32_t index, size_t count, const char* what) {
  if (index < count) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "index is %u; the model has %zu %s", index, count, what);
}

uint32_t find_name(const char* name, size_t count,
                   FunctionRef<const model::FileValue&(size_t)> value, const char* what) {
  require(name, "name");
  std::string known;
  for (size_t i = 0; i < count; ++i) {
    if (value(i).name == name) return static_cast<uint32_t>(i);
    known += (i == 0 ? "" : ", ") + quoted(value(i).name.c_str(), 200);
  }
  fail(NETCL_ERROR_NOT_FOUND, "name is %s; the model's %s are %s", quoted(name, 200).c_str(), what,
       known.c_str());
}

// The bytes of a tensor in C order, once what writes it is over.
std::string read_elements(const TensorRef& tensor, const ops::Run& run) {
  std::string bytes(tensor->byte_count(), '\0');
  if (bytes.empty()) return bytes;
  wait_until_written(*tensor, NETCL_WAIT_FOREVER);
  TensorRef packed = tensor;
  if (!packed->layout().is_c_contiguous()) {
    packed = ops::copy(*tensor, nullptr, run.without_event());
    wait_until_written(*packed, NETCL_WAIT_FOREVER);
  }
  TransferPlan plan;
  plan.queue = &run.queue;
  plan.waits = run.waits;
  read_bytes(packed_span(*packed), bytes.data(), plan);
  return bytes;
}

// One run of a model, with its arguments read.
struct ModelRun {
  ModelRun(model::Model& of, netcl_tensor* const* list, uint32_t count,
           const netcl_run_options* run)
      : model(of), inputs(pin_tensors(list, count, "inputs")), resolved(run, of.device()) {
    resolved.refuse_into();
    resolved.refuse_graph();
    for (const TensorRef& input : inputs) require_content(*input, "inputs");
  }

  model::Model& model;
  std::vector<TensorRef> inputs;
  ResolvedRun resolved;
};

}  // namespace

extern "C" {

netcl_status netcl_model_load(netcl_device* device, const char* path,
                              const netcl_model_options* options, netcl_model** model) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require_text(path, "path");
    const model::ModelOptions checked = read_model_options(options);
    require(model, "model");
    *model = make_handle<netcl_model>(
        std::make_shared<model::Model>(pinned.shared(), model::read_onnx_file(path), checked));
  });
}

netcl_status netcl_model_load_memory(netcl_device* device, const void* data, size_t data_size,
                                     const netcl_model_options* options, netcl_model** model) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    if (data_size > 0) require(data, "data");
    const model::ModelOptions checked = read_model_options(options);
    require(model, "model");
    model::OnnxFile file =
        model::parse_onnx({static_cast<const char*>(data), data_size}, std::string());
    *model = make_handle<netcl_model>(
        std::make_shared<model::Model>(pinned.shared(), std::move(file), checked));
  });
}

netcl_status netcl_model_retain(netcl_model* model) { return retain_handle(model, "model"); }
void netcl_model_release(netcl_model* model) { release_handle(model); }

netcl_status netcl_model_get_info(const netcl_model* model, netcl_model_info* info) {
  return guarded([&] {
    const auto pinned = pin(model, "model");
    check_info(info, "info");
    netcl_model_info full = NETCL_MODEL_INFO_INIT;
    const model::OnnxFile& file = pinned->program().file();
    full.node_count = pinned->program().node_count();
    full.weight_count = pinned->network().weight_count();
    full.weight_bytes = pinned->network().weight_bytes();
    full.form_count = pinned->graph().forms()->kept().size();
    full.ir_version = file.ir_version;
    full.opset = file.opset;
    full.input_count = static_cast<uint32_t>(pinned->program().inputs().size());
    full.output_count = static_cast<uint32_t>(pinned->program().outputs().size());
    copy_text(full.name, sizeof full.name, file.name.c_str());
    copy_text(full.producer, sizeof full.producer, file.producer.c_str());
    write_info(info, full);
  });
}

netcl_status netcl_model_get_input(const netcl_model* model, uint32_t index,
                                   netcl_model_value* value) {
  return guarded([&] {
    const auto pinned = pin(model, "model");
    require_index(index, pinned->program().inputs().size(), "inputs");
    give_value(*pinned, *pinned->program().inputs()[index], value);
  });
}

netcl_status netcl_model_get_output(const netcl_model* model, uint32_t index,
                                    netcl_model_value* value) {
  return guarded([&] {
    const auto pinned = pin(model, "model");
    require_index(index, pinned->program().file().outputs.size(), "outputs");
    give_value(*pinned, pinned->program().file().outputs[index], value);
  });
}

netcl_status netcl_model_find_input(const netcl_model* model, const char* name, uint32_t* index) {
  return guarded([&] {
    const auto pinned = pin(model, "model");
    require(index, "index");
    const auto& inputs = pinned->program().inputs();
    *index = find_name(
        name, inputs.size(), [&](size_t i) -> const model::FileValue& { return *inputs[i]; },
        "inputs");
  });
}

netcl_status netcl_model_find_output(const netcl_model* model, const char* name, uint32_t* index) {
  return guarded([&] {
    const auto pinned = pin(model, "model");
    require(index, "index");
    const auto& outputs = pinned->program().file().outputs;
    *index = find_name(
        name, outputs.size(), [&](size_t i) -> const model::FileValue& { return outputs[i]; },
        "outputs");
  });
}

netcl_status netcl_model_run(netcl_model* model, netcl_tensor* const* inputs, uint32_t inputs_count,
                             netcl_tensor* const* outputs, uint32_t outputs_count,
                             const netcl_run_options* run) {
  return guarded([&] {
    const auto pinned = pin(model, "model");
    std::vector<TensorRef> to = pin_tensors(outputs, outputs_count, "outputs");
    for (const TensorRef& output : to) require_own_elements(*output, "outputs");
    ModelRun asked(*pinned, inputs, inputs_count, run);
    const size_t there = pinned->program().outputs().size();
    if (to.size() != there) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "outputs_count is %zu; the model has %zu outputs",
           to.size(), there);
    }
    pinned->run(asked.inputs, to, asked.resolved.run(), [&](const TensorRef& tensor) {
      return read_elements(tensor, asked.resolved.run());
    });
    asked.resolved.give_event();
  });
}

netcl_status netcl_model_evaluate(netcl_model* model, netcl_tensor* const* inputs,
                                  uint32_t inputs_count, const netcl_run_options* run,
                                  netcl_tensor** outputs, uint32_t capacity, uint32_t* count) {
  return guarded([&] {
    const auto pinned = pin(model, "model");
    ModelRun asked(*pinned, inputs, inputs_count, run);
    if (outputs == nullptr && capacity > 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "outputs is NULL while capacity is %u", capacity);
    }
    require(count, "count");
    const size_t there = pinned->program().outputs().size();
    if (capacity >= there) {
      std::vector<TensorRef> made = pinned->evaluate(
          asked.inputs, asked.resolved.run(),
          [&](const TensorRef& tensor) { return read_elements(tensor, asked.resolved.run()); });
      netcl_event* const event = asked.resolved.event_handle();
      give_tensors(std::move(made), event, outputs);
      asked.resolved.store_event(event);
    }
    *count = static_cast<uint32_t>(there);
  });
}

netcl_status netcl_model_explain(const netcl_model* model, netcl_graph_format format, char* buffer,
                                 size_t capacity, size_t* length) {
  return guarded([&] {
    write_text(graph::explain(pin(model, "model")->graph(), format), buffer, capacity, length);
  });
}

netcl_status netcl_model_describe(const char* path, char* buffer, size_t capacity, size_t* length) {
  return guarded([&] {
    require_text(path, "path");
    const model::Program program(model::read_onnx_file(path));
    write_text(model::describe(program), buffer, capacity, length);
  });
}

}  // extern "C"
