#include "graph/compile/explain.hpp"

#include "core/json.hpp"
#include "core/number.hpp"
#include "core/utf8.hpp"
#include "graph/compile/forms.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::graph {

namespace {

struct Operand {
  std::string name;  // "input 0", "value 3"
  std::string dtype;
  std::string shape;
  int64_t offset = -1;  // of a planned value in the block
};

struct Row {
  size_t number;  // of the call, as in messages, or of the step
  std::string name;
  std::vector<std::string> names;  // of a step: its calls with their numbers
  std::string call;                // the number of the only one
  std::string apart;
  std::vector<Operand> reads;
  std::vector<Operand> writes;
};

struct Picture {
  std::string device;
  std::string kind = "tape";
  size_t calls = 0;
  const CompiledGraph* compiled = nullptr;  // that is ready
  std::vector<Row> rows;
  std::vector<Operand> inputs;   // of a form
  std::vector<Operand> outputs;  // what they are made of
  // Gradients for a reducer, and behind how many commands each is there.
  struct Given {
    Operand operand;
    size_t commands;
  };
  std::vector<Given> given;
};

class Namer {
 public:
  explicit Namer(const CompiledGraph* compiled) : compiled_(compiled) {
    if (compiled == nullptr) return;
    add(compiled->interface().inputs, "input");
    add(compiled->interface().outputs, "output");
  }

  Operand operand(const Tensor& tensor) {
    Operand out;
    out.dtype = dtype_facts(tensor.dtype()).name;
    out.shape = shape_text(tensor);
    if (tensor.empty()) {
      out.name = "empty";
      return out;
    }
    std::string& name = names_[tensor.memory()];
    if (name.empty()) {
      name = tensor.buffer()->planned() ? "value " + number_text(values_++)
                                        : "tensor " + number_text(tensors_++);
    }
    out.name = name;
    if (compiled_ != nullptr) {
      const auto& offsets = compiled_->binding().offsets;
      const auto known = offsets.find(tensor.memory());
      if (known != offsets.end()) out.offset = static_cast<int64_t>(known->second);
    }
    return out;
  }

 private:
  void add(const std::vector<TensorRef>& tensors, const char* what) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (!tensors[i]->empty()) {
        names_.try_emplace(tensors[i]->memory(), format("%s %zu", what, i));
      }
    }
  }

  const CompiledGraph* compiled_;
  std::unordered_map<const MemoryObject*, std::string> names_;
  size_t values_ = 0;
  size_t tensors_ = 0;
};

// The name of a call, with what it computes.
std::string title_of(const Node& node) {
  constexpr size_t kMost = 80;
  std::string detail = node.detail();
  if (detail.empty()) return node.name();
  if (detail.size() > kMost) detail = std::string(utf8_prefix(detail, kMost)) + " ...";
  return node.name() + " " + detail;
}

Row row_of(const Node& node, size_t number, Namer* namer) {
  Row row;
  row.number = number;
  row.name = title_of(node);
  for (const TensorRef& tensor : node.reads()) row.reads.push_back(namer->operand(*tensor));
  for (const TensorRef& tensor : node.writes()) {
    if (tensor != nullptr) row.writes.push_back(namer->operand(*tensor));
  }
  return row;
}

void add_steps(const CompiledGraph& compiled, Namer* namer, Picture* picture) {
  for (const Step& step : compiled.steps()) {
    picture->rows.push_back(row_of(*step.node, picture->rows.size(), namer));
    for (const size_t number : step.numbers) {
      picture->rows.back().names.push_back(number_text(number) + " " +
                                           title_of(*compiled.nodes()[number]));
    }
    if (step.numbers.size() == 1) picture->rows.back().call = number_text(step.numbers[0]);
    picture->rows.back().apart = step.apart;
  }
  for (const TensorRef& output : compiled.interface().outputs) {
    picture->outputs.push_back(namer->operand(*output));
  }
  for (const Binding::Given& given : compiled.binding().given) {
    const ReducedGradient& gradient = given.gradient;
    const TensorRef& tensor = gradient.outside != nullptr
                                  ? gradient.outside
                                  : compiled.interface().outputs[gradient.output];
    picture->given.push_back({namer->operand(*tensor), given.commands});
  }
}

Picture picture_of(const Graph& graph, const CompiledGraph* compiled) {
  Picture picture;
  picture.device = graph.device().text();
  picture.kind = graph.captures() ? "capture" : "tape";
  picture.calls = graph.count();
  picture.compiled = compiled;
  Namer namer(compiled);
  if (compiled != nullptr) {
    add_steps(*compiled, &namer, &picture);
    return picture;
  }
  const std::vector<NodeRef> nodes = graph.nodes();
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] != nullptr) picture.rows.push_back(row_of(*nodes[i], i, &namer));
  }
  return picture;
}

Picture picture_of_form(const Graph& graph, const CompiledGraph& form) {
  Picture picture;
  picture.device = graph.device().text();
  picture.kind = "form";
  picture.calls = form.nodes().size();
  picture.compiled = &form;
  Namer namer(&form);
  for (const TensorRef& input : form.interface().inputs) {
    picture.inputs.push_back(namer.operand(*input));
  }
  add_steps(form, &namer, &picture);
  return picture;
}

std::string words(const std::vector<Operand>& operands) {
  std::string text;
  for (const Operand& operand : operands) {
    if (!text.empty()) text += ", ";
    text += operand.name + " " + operand.dtype + " " + operand.shape;
    if (operand.offset >= 0) text += format(" at %lld", static_cast<long long>(operand.offset));
  }
  return text;
}

// Whether the driver is given launches and fills as command buffers, and why not.
std::string words(const CompiledGraph& compiled) {
  // What may be in them is of tensors that lie as at compile, what became of them is of all.
  const ops::Batches& batches = *compiled.binding().batches;
  const ops::BatchReport::Facts facts = compiled.batch_report().facts();
  if (!batches.refusal().empty() && facts.made == 0 && facts.without == 0) {
    return "not used: " + batches.refusal();
  }
  std::string text = format(
      "%zu launches and fills in %zu for tensors that lie as at compile, %llu recorded, "
      "%llu runs with and %llu without",
      batches.commands(), batches.count(), static_cast<unsigned long long>(facts.made),
      static_cast<unsigned long long>(facts.runs), static_cast<unsigned long long>(facts.without));
  if (!facts.reason.empty()) text += ", the last because " + facts.reason;
  return text;
}

// Where gradients go, and when: "MEAN over 4 ranks, buckets of 4194304 bytes".
std::string words(const group::Reducer& reducer) {
  return format("%s over %u ranks, buckets of %llu bytes",
                ops::reduction_name(reducer.options().kind), reducer.size(),
                static_cast<unsigned long long>(reducer.options().bucket_bytes));
}

Json json_of(const CompiledGraph& compiled) {
  const ops::Batches& batches = *compiled.binding().batches;
  const ops::BatchReport::Facts facts = compiled.batch_report().facts();
  Json out = Json::object({{"commands", batches.commands()},
                           {"count", batches.count()},
                           {"recorded", facts.made},
                           {"runs", facts.runs},
                           {"runs_without", facts.without}});
  if (!batches.refusal().empty()) out["not_used"] = batches.refusal();
  if (!facts.reason.empty()) out["last_without"] = facts.reason;
  return out;
}

std::string as_text(const Picture& picture) {
  std::string text =
      format("%s on %s: %zu calls", picture.kind.c_str(), picture.device.c_str(), picture.calls);
  if (picture.compiled != nullptr) {
    const CompiledGraph& compiled = *picture.compiled;
    text += format(", %zu steps, %zu commands, %llu bytes planned of %llu live",
                   picture.rows.size(), compiled.binding().commands.count(),
                   static_cast<unsigned long long>(compiled.binding().planned_bytes),
                   static_cast<unsigned long long>(compiled.live_bytes()));
  }
  text += "\n";
  for (const Row& row : picture.rows) {
    text += format("%4zu %s: ", row.number, row.name.c_str()) + words(row.reads) + " -> " +
            words(row.writes);
    if (!row.call.empty()) text += "; call " + row.call;
    if (row.names.size() > 1) {
      text += "; joins ";
      for (const std::string& name : row.names) {
        text += (&name == &row.names.front() ? "" : ", ") + name;
      }
    }
    if (!row.apart.empty()) text += "; stored because " + row.apart;
    text += "\n";
  }
  for (size_t i = 0; i < picture.outputs.size(); ++i) {
    if (picture.outputs[i].name == format("output %zu", i)) continue;
    text += format("     output %zu is copied from ", i) + words({picture.outputs[i]}) + "\n";
  }
  if (!picture.given.empty()) {
    text += "     reducer: " + words(*picture.compiled->reducer()) + "\n";
    for (const Picture::Given& given : picture.given) {
      text += "     " + given.operand.name +
              format(" is given to it behind %zu commands\n", given.commands);
    }
  }
  if (picture.compiled != nullptr) {
    text += format("     made ready for %llu ways in which inputs and outputs lie\n",
                   static_cast<unsigned long long>(picture.compiled->ways_made()));
    text += "     command buffers: " + words(*picture.compiled) + "\n";
  }
  return text;
}

Json json_of(const std::vector<Operand>& operands) {
  Json list = Json::array();
  for (const Operand& operand : operands) {
    Json entry =
        Json::object({{"name", operand.name}, {"dtype", operand.dtype}, {"shape", operand.shape}});
    if (operand.offset >= 0) entry["offset"] = operand.offset;
    list.push_back(std::move(entry));
  }
  return list;
}

Json json_of(const Picture& picture) {
  Json out = Json::object({{"kind", picture.kind},
                           {"device", picture.device},
                           {"calls", picture.calls},
                           {"compiled", picture.compiled != nullptr}});
  if (picture.compiled != nullptr) {
    out["commands"] = picture.compiled->binding().commands.count();
    out["planned_bytes"] = picture.compiled->binding().planned_bytes;
    out["live_bytes"] = picture.compiled->live_bytes();
    out["ways"] = picture.compiled->ways_made();
    out["command_buffers"] = json_of(*picture.compiled);
  }
  if (!picture.given.empty()) {
    const group::Reducer& reducer = *picture.compiled->reducer();
    Json gradients = Json::array();
    for (const Picture::Given& given : picture.given) {
      gradients.push_back(
          Json::object({{"name", given.operand.name}, {"commands", given.commands}}));
    }
    out["reducer"] = Json::object({{"kind", ops::reduction_name(reducer.options().kind)},
                                   {"ranks", reducer.size()},
                                   {"bucket_bytes", reducer.options().bucket_bytes},
                                   {"gradients", std::move(gradients)}});
  }
  if (picture.kind == "form") out["inputs"] = json_of(picture.inputs);
  Json steps = Json::array();
  for (const Row& row : picture.rows) {
    Json step = Json::object({{"number", row.number},
                              {"name", row.name},
                              {"reads", json_of(row.reads)},
                              {"writes", json_of(row.writes)}});
    if (!row.names.empty()) step["calls"] = Json(row.names);
    if (!row.apart.empty()) step["stored_because"] = row.apart;
    steps.push_back(std::move(step));
  }
  out["steps"] = std::move(steps);
  if (picture.compiled != nullptr) out["outputs"] = json_of(picture.outputs);
  return out;
}

// A text of DOT. Names that callers give may hold quotes and backslashes.
std::string label(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// `own` begins the names of all nodes.
std::string dot_body(const Picture& picture, const std::string& own) {
  std::string text;
  if (picture.compiled != nullptr) {
    text += "  " + label(own + "command buffers") +
            " [shape=note, label=" + label("command buffers: " + words(*picture.compiled)) + "]\n";
  }
  for (size_t i = 0; i < picture.rows.size(); ++i) {
    const Row& row = picture.rows[i];
    const std::string number = "step" + number_text(i);
    const std::string step = own.empty() ? number : label(own + number);
    std::string title = row.name;
    if (row.names.size() > 1) title += format(" (%zu calls)", row.names.size());
    text += "  " + step + " [shape=box, label=" + label(title) + "]\n";
    for (const Operand& operand : row.reads) {
      text += "  " + label(own + operand.name) + " -> " + step +
              " [label=" + label(operand.dtype + " " + operand.shape) + "]\n";
    }
    for (const Operand& operand : row.writes) {
      text += "  " + step + " -> " + label(own + operand.name) +
              " [label=" + label(operand.dtype + " " + operand.shape) + "]\n";
    }
  }
  return text;
}

std::string as_dot(const std::string& body) {
  return "digraph netcl {\n  node [shape=ellipse]\n" + body + "}\n";
}

// Forms of a graph made from a function, each with the inputs that it is for.
std::string explain_forms(const Graph& graph, const std::vector<Picture>& forms,
                          netcl_graph_format format) {
  const std::string device = graph.device().text();
  const size_t most = graph.forms()->options().most;
  std::string text = netcl::format("function on %s: %zu forms of at most %zu\n", device.c_str(),
                                   forms.size(), most);
  std::string body;
  Json list = Json::array();
  for (size_t i = 0; i < forms.size(); ++i) {
    const std::string title = netcl::format("form %zu: ", i) + words(forms[i].inputs);
    text += title + "\n" + as_text(forms[i]);
    body += netcl::format("subgraph cluster_%zu {\nlabel=", i) + label(title) + "\n" +
            dot_body(forms[i], netcl::format("form %zu, ", i)) + "}\n";
    list.push_back(json_of(forms[i]));
  }
  if (format == NETCL_GRAPH_FORMAT_TEXT) return text;
  if (format == NETCL_GRAPH_FORMAT_DOT) return as_dot(body);
  return Json::object(
             {{"kind", "function"}, {"device", device}, {"forms_most", most}, {"forms", list}})
      .dump();
}

}  // namespace

std::string explain(const Graph& graph, netcl_graph_format format) {
  if (format < NETCL_GRAPH_FORMAT_TEXT || format > NETCL_GRAPH_FORMAT_DOT) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "format is %d, which is no netcl_graph_format", format);
  }
  if (graph.forms() != nullptr) {
    const std::vector<CompiledGraphRef> kept = graph.forms()->kept();
    std::vector<Picture> forms;
    for (const CompiledGraphRef& form : kept) forms.push_back(picture_of_form(graph, *form));
    return explain_forms(graph, forms, format);
  }
  const CompiledGraphRef compiled = graph.compiled();
  const bool ready = compiled != nullptr && compiled->ready();
  const Picture picture = picture_of(graph, ready ? compiled.get() : nullptr);
  if (format == NETCL_GRAPH_FORMAT_TEXT) return as_text(picture);
  if (format == NETCL_GRAPH_FORMAT_DOT) return as_dot(dot_body(picture, ""));
  return json_of(picture).dump();
}

}  // namespace netcl::graph
