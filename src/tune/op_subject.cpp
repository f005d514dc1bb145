#include "tune/op_subject.hpp"

#include <algorithm>
#include <cstring>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "ops/conv2d/conv2d.hpp"
#include "ops/frame/elements.hpp"
#include "ops/frame/tuned_variant.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/matmul/matrix_units.hpp"
#include "ops/random/random.hpp"
#include "ops/reduce/reduce.hpp"
#include "tensor/transfer.hpp"
#include "timing/command_log.hpp"
#include "timing/measurement.hpp"
#include "tune/compare.hpp"
#include "tune/config_json.hpp"

namespace netcl::tune {

namespace {

// Has a choice made for this thread, for as long as it lives.
class Forced {
 public:
  explicit Forced(const ops::TunedVariant& tuned)
      : tuned_(tuned), before_(ops::force_variant(&tuned_)) {}
  ~Forced() { ops::force_variant(before_); }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;

 private:
  ops::TunedVariant tuned_;
  const ops::TunedVariant* before_;
};

ops::TunedVariant variant_of(const Config& config) {
  store::Record record;
  record.config = json_of(config);
  return ops::tuned_variant(record);
}

// An op runs in this process: its kernels are netcl's own.
class OpSubject : public Subject {
 public:
  explicit OpSubject(Device& device) : device_(device.shared_from_this()) {
    limits_ = Limits(device.capabilities());
    has_standard_ = true;
  }

  std::vector<Measured> measure(std::span<const ConfigRef> configs,
                                const MeasureRules& rules) override {
    std::vector<Measured> out(configs.size());
    if (configs.size() == 1) {
      if (ConfigRef same = find_same(configs[0])) {
        out[0].same = std::move(same);
        return out;
      }
    }
    if (result_ == nullptr) prepare();
    std::vector<uint32_t> sound;
    for (uint32_t i = 0; i < configs.size(); ++i) {
      check(*configs[i], &out[i]);
      if (out[i].outcome == NETCL_OUTCOME_CORRECT) sound.push_back(i);
    }
    if (!sound.empty()) time(configs, rules, sound, &out);
    return out;
  }

  netcl_work work() override {
    if (result_ == nullptr) prepare();
    netcl_work work = NETCL_WORK_INIT;
    work.operations = counts_operations() ? work_.operations : 0.0;
    work.bytes = work_.bytes;
    work.bytes_written = work_.bytes_written;
    work.dtype = work_.dtype;
    return work;
  }

  void close() noexcept override {
    inputs_.clear();
    result_.reset();
    want_.clear();
    checked_.clear();
    kept_.clear();
  }

 protected:
  virtual void make_inputs() = 0;
  virtual TensorRef run(const TensorRef& into, const ops::Run& run) = 0;
  // What the op does with the choice that is made for this thread.
  virtual ops::VariantConfig resolved() = 0;
  // False when some variant gets along with fewer operations than the op declares.
  virtual bool counts_operations() const { return true; }

  TensorRef random_tensor(netcl_dtype dtype, const std::vector<int64_t>& shape, uint64_t seed) {
    TensorRef tensor =
        Tensor::allocate(device_, dtype, static_cast<uint32_t>(shape.size()), shape.data());
    netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
    options.seed = seed;
    ops::random(make_random_plan(dtype, options), *tensor, ops::Run{queue(), {}});
    return tensor;
  }
  // One parameter with all variants of the op that can do the case.
  void add_variants(netcl_variant first, const std::function<void(netcl_variant)>& choose,
                    netcl_variant standard) {
    std::vector<Value> names;
    for (netcl_variant v = first; v < first + 8; ++v) {
      if (std::string(ops::variant_name(v)) == "invalid") break;
      try {
        choose(v);
        names.emplace_back(std::string(ops::variant_name(v)));
      } catch (const Error& error) {
        if (error.status() != NETCL_ERROR_UNSUPPORTED) throw;
      }
    }
    space_.add("variant", std::move(names));
    standard_.values.emplace_back("variant", std::string(ops::variant_name(standard)));
  }
  void add_numbers(const char* name, std::vector<int64_t> numbers) {
    space_.add(name, std::vector<Value>(numbers.begin(), numbers.end()));
    standard_.values.emplace_back(name, int64_t{0});
  }
  Queue& queue() { return QueueSet::of(*device_).default_queue_borrowed(); }

  DeviceRef device_;
  std::vector<TensorRef> inputs_;

 private:
  void prepare() {
    make_inputs();
    const Forced forced(variant_of(standard_));
    timing::CommandLog log(queue());
    log.start();
    result_ = run(nullptr, ops::Run{queue(), {}});
    log.stop();
    log.wait(Deadline(NETCL_WAIT_FOREVER));
    work_ = log.work();
    want_ = bytes_of(*result_);
  }
  std::string bytes_of(const Tensor& tensor) {
    std::string bytes(tensor.byte_count(), '\0');
    TransferPlan plan;
    plan.queue = &queue();
    read_bytes(packed_span(tensor), bytes.data(), plan);
    return bytes;
  }

  // An earlier configuration that comes to the same, such as a tile size that the rules choose too.
  ConfigRef find_same(const ConfigRef& config) {
    ops::VariantConfig what;
    try {
      const Forced forced(variant_of(*config));
      what = resolved();
    } catch (const Error&) {
      return nullptr;  // checking it will tell
    }
    what.from_cache = 0;
    std::fill(std::begin(what.reason), std::end(what.reason), '\0');
    for (const auto& [known, seen] : kept_) {
      if (std::memcmp(&known, &what, sizeof what) != 0) continue;
      return seen->json() == config->json() ? nullptr : seen;
    }
    kept_.emplace_back(what, config);
    return nullptr;
  }

  void check(const Config& config, Measured* measured) {
    const std::string text = config.json();
    if (std::find(checked_.begin(), checked_.end(), text) != checked_.end()) {
      measured->outcome = NETCL_OUTCOME_CORRECT;
      return;
    }
    try {
      JobArgument argument;
      argument.dtype = result_->dtype();
      argument.access = JobArgument::Access::out;
      const Layout& layout = result_->layout();
      argument.shape.assign(layout.shape.begin(), layout.shape.begin() + layout.rank);
      std::string poison(want_.size(), static_cast<char>(poison_byte(argument.dtype, ++round_)));
      TransferPlan plan;
      plan.queue = &queue();
      write_bytes(packed_span(*result_), poison.data(), plan);
      const uint64_t begin = monotonic_ns();
      {
        const Forced forced(variant_of(config));
        run(result_, ops::Run{queue(), {}});
      }
      const std::string got = bytes_of(*result_);
      measured->compile_ns = monotonic_ns() - begin;
      const auto difference = describe_difference(argument, got.data(), want_.data(), round_);
      measured->outcome = difference ? NETCL_OUTCOME_CORRECTNESS : NETCL_OUTCOME_CORRECT;
      if (difference) measured->message = *difference;
      if (!difference) checked_.push_back(text);
    } catch (const Error& error) {
      if (error.status() == NETCL_ERROR_CANCELLED) throw;
      measured->outcome = error.status() == NETCL_ERROR_BUILD_FAILURE ? NETCL_OUTCOME_COMPILE
                          : error.status() == NETCL_ERROR_UNSUPPORTED ||
                                  error.status() == NETCL_ERROR_INVALID_ARGUMENT
                              ? NETCL_OUTCOME_CONSTRAINTS
                              : NETCL_OUTCOME_RUNTIME;
      measured->message = error.what();
    }
  }

  void time(std::span<const ConfigRef> configs, const MeasureRules& rules,
            const std::vector<uint32_t>& sound, std::vector<Measured>* out) {
    netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
    options.candidates = static_cast<uint32_t>(sound.size());
    options.warmup_count = rules.warmup_count;
    options.count = rules.samples;
    timing::Measurement measurement(QueueSet::of(*device_).default_queue(), options);
    while (true) {
      uint32_t turn = 0;
      uint64_t iterations = 0;
      measurement.next(&turn, &iterations);
      if (iterations == 0) break;
      const Forced forced(variant_of(*configs[sound[turn]]));
      for (uint64_t i = 0; i < iterations; ++i) run(result_, ops::Run{queue(), {}});
      if (rules.cancel != nullptr && *rules.cancel) {
        for (const uint32_t index : sound) (*out)[index].outcome = NETCL_OUTCOME_CANCELLED;
        return;
      }
    }
    for (uint32_t i = 0; i < sound.size(); ++i) {
      std::vector<double>& samples = (*out)[sound[i]].samples;
      samples.resize(measurement.samples(i, nullptr, 0));
      measurement.samples(i, samples.data(), samples.size());
    }
  }

  TensorRef result_;
  Work work_;  // that the op declares
  std::string want_;
  std::vector<std::string> checked_;  // configurations that gave the right result
  std::vector<std::pair<ops::VariantConfig, ConfigRef>> kept_;  // each for the first time
  uint32_t round_ = 0;
};

class MatmulSubject final : public OpSubject {
 public:
  MatmulSubject(Device& device, int64_t batch, int64_t m, int64_t n, int64_t k, netcl_dtype dtype)
      : OpSubject(device), batch_(batch), m_(m), n_(n), k_(k), dtype_(dtype) {
    if (!is_float(dtype)) {
      fail(NETCL_ERROR_UNSUPPORTED, "dtype is %s; tuning of matmul takes f16, bf16, f32 and f64",
           dtype_facts(dtype, "dtype").name);
    }
    ops::variant_rules::require_size(batch, 1, "batch");
    ops::variant_rules::require_size(m, 1, "m");
    ops::variant_rules::require_size(n, 1, "n");
    ops::variant_rules::require_size(k, 1, "k");
    ops::require_product(batch, m, n, k);
    const ops::MatmulCase what = ops::packed_matmul_case(m, n, k, dtype, batch);
    const ops::VariantTarget target(device);
    name_ = "op.matmul";
    key_ = ops::matmul_key(target, what);
    const Forced by_rules{ops::TunedVariant()};
    add_variants(
        NETCL_VARIANT_MATMUL_NAIVE, [&](netcl_variant v) { ops::choose_matmul(target, what, v); },
        ops::choose_matmul(target, what, 0).variant);
    if (ops::runs_native(target)) return;
    units_ = (dtype == NETCL_F16 || dtype == NETCL_BF16) &&
             ops::matrix_units(target) != NETCL_MATRIX_UNITS_NONE;
    add_tiles(what);
  }

 private:
  // Tiles with the depth of a step and with how many groups share the depth of one.
  void add_tiles(const ops::MatmulCase& what) {
    const bool wide = what.dtype == NETCL_F64;
    const int64_t thin = std::min(what.m, what.n);
    const bool few_columns = what.n < what.m;
    add_numbers("tile", units_ ? std::vector<int64_t>{0, 16, 32, 64, 128, 192, 256}
                               : std::vector<int64_t>{0, 16, 32, 64, 128});
    add_numbers("rows", units_        ? std::vector<int64_t>{0, 16, 32, 64, 128}
                        : few_columns ? std::vector<int64_t>{0, 64, 128}
                                      : std::vector<int64_t>{0, 16, 32});
    add_numbers("step", {0, 8, 16, 32});
    add_numbers("split_k", {0, 1, 2, 4, 8, 16, 32});
    // Thin tiles have no more rows, or columns where these are fewer, than there are.
    const char* const short_side = few_columns ? "tile" : "rows";
    const char* const long_side = few_columns ? "rows" : "tile";
    const int least = thin > 32 ? 0 : thin > 16 ? 32 : 16;
    // Several groups for a tile: enough depth for each, and about as many as run at a time. Where
    // tiles are few, large ones and deep steps leave even fewer groups with less to do.
    const auto groups = [&](const char* rows) {
      return format("ceil_div(%lld, %s) * ceil_div(%lld, tile) * %lld * split_k",
                    static_cast<long long>(what.m), rows, static_cast<long long>(what.n),
                    static_cast<long long>(what.batch));
    };
    const auto split = [&](const char* rows) {
      const std::string all = groups(rows);
      return format(
          "(split_k == 1 or split_k * 128 <= %lld and %s <= 4 * compute_units and "
          "2 * %s >= compute_units)",
          static_cast<long long>(what.k), all.c_str(), all.c_str());
    };
    // Matrix units have tiles of their own; what goes for the other kernels is not asked of them.
    space_.constrain(
        format("variant != 'matmul_matrix_units' or tile == 0 and rows == 0 and step == 0 and "
               "split_k == 0 or tile in [64, 128, 192, 256] and rows in [64, 128] and "
               "(tile != 192 or rows == 128) and step == 0 and split_k != 0 and "
               "(split_k == 1 or 128 * split_k <= %lld)",
               static_cast<long long>(what.k)));
    space_.constrain(
        format("variant == 'matmul_matrix_units' or "
               "rows != 0 or tile == 0 and step == 0 and split_k == 0 or "
               "variant == 'matmul_tiled' and tile in [16%s] and step == 0 and split_k == 0 or "
               "variant in ['matmul_register_tiled', 'matmul_vectorized'] and tile in [64%s] and "
               "step in [8, 16%s] and split_k != 0 and "
               "4 * (tile + 4) * step * %d <= local_memory_bytes and "
               "(tile == 64 or 4 * %s >= split_k * compute_units) and %s",
               wide ? "" : ", 32", wide ? "" : ", 128", least != 0 ? "" : ", 32", wide ? 8 : 4,
               groups("tile").c_str(), split("tile").c_str()));
    if (least == 0) return space_.constrain("variant == 'matmul_matrix_units' or rows == 0");
    space_.constrain(
        format("variant == 'matmul_matrix_units' or rows == 0 or "
               "variant == 'matmul_register_tiled' and %s == %d and %s in [64%s] and "
               "step in [16, 32] and 4 * step %% %s == 0 and split_k != 0 and "
               "2 * (tile + rows + 8) * step * %d <= local_memory_bytes and %s",
               short_side, least, long_side, wide ? "" : ", 128", long_side, wide ? 8 : 4,
               split("rows").c_str()));
  }
  void make_inputs() override {
    inputs_ = {random_tensor(dtype_, {batch_, m_, k_}, 1),
               random_tensor(dtype_, {batch_, k_, n_}, 2)};
  }
  TensorRef run(const TensorRef& into, const ops::Run& run) override {
    return ops::matmul(*inputs_[0], *inputs_[1], ops::MatmulParameters(), into, run);
  }
  ops::VariantConfig resolved() override {
    return ops::choose_matmul(ops::VariantTarget(*device_),
                              ops::packed_matmul_case(m_, n_, k_, dtype_, batch_), 0);
  }
  int64_t batch_, m_, n_, k_;
  netcl_dtype dtype_;
  bool units_ = false;
};

class Conv2dSubject final : public OpSubject {
 public:
  Conv2dSubject(Device& device, const netcl_conv2d_shape& given, netcl_dtype dtype)
      : OpSubject(device), shape_(given), dtype_(dtype) {
    if (!is_float(dtype)) {
      fail(NETCL_ERROR_UNSUPPORTED, "dtype is %s; conv2d takes f16, bf16, f32 and f64",
           dtype_facts(dtype, "dtype").name);
    }
    for (int64_t* value : {&shape_.strides[0], &shape_.strides[1], &shape_.dilations[0],
                           &shape_.dilations[1], &shape_.groups}) {
      if (*value == 0) *value = 1;
    }
    const ops::VariantTarget target(device);
    name_ = "op.conv2d";
    const Forced by_rules{ops::TunedVariant()};
    const ops::VariantConfig chosen = ops::choose_conv2d(target, shape_, dtype, 0);
    key_ = ops::conv2d_key(target, shape_, dtype);
    add_variants(
        NETCL_VARIANT_CONV2D_NAIVE,
        [&](netcl_variant v) { ops::choose_conv2d(target, shape_, dtype, v); }, chosen.variant);
    for (const Value& name : space_.parameters().front().values) {
      may_use_winograd_ = may_use_winograd_ || same_value(name, std::string("conv2d_winograd"));
    }
    add_numbers("winograd_tile", {0, 2, 4});
    space_.constrain("winograd_tile == 0 or variant == 'conv2d_winograd'");
  }

 private:
  void make_inputs() override {
    const netcl_conv2d_shape& s = shape_;
    inputs_ = {random_tensor(dtype_, {s.batch, s.channels, s.height, s.width}, 1),
               random_tensor(
                   dtype_, {s.filters, s.channels / s.groups, s.kernel_height, s.kernel_width}, 2)};
  }
  TensorRef run(const TensorRef& into, const ops::Run& run) override {
    ops::Conv2dParameters parameters;
    std::copy_n(shape_.strides, 2, parameters.strides.begin());
    std::copy_n(shape_.dilations, 2, parameters.dilations.begin());
    std::copy_n(shape_.padding, 4, parameters.padding.begin());
    parameters.groups = shape_.groups;
    return ops::conv2d(inputs_[0], inputs_[1], parameters, into, run);
  }
  ops::VariantConfig resolved() override {
    return ops::choose_conv2d(ops::VariantTarget(*device_), shape_, dtype_, 0);
  }
  bool counts_operations() const override { return !may_use_winograd_; }
  netcl_conv2d_shape shape_;
  netcl_dtype dtype_;
  bool may_use_winograd_ = false;
};

class ReductionSubject final : public OpSubject {
 public:
  ReductionSubject(Device& device, int64_t outputs, int64_t count, netcl_dtype dtype)
      : OpSubject(device), outputs_(outputs), count_(count), dtype_(dtype) {
    dtype_facts(dtype, "dtype");
    ops::variant_rules::require_size(outputs, 1, "outputs");
    ops::variant_rules::require_size(count, 1, "count");
    const ops::VariantTarget target(device);
    name_ = "op.reduction";
    key_ = ops::reduction_key(target, outputs, count, dtype);
    const Forced by_rules{ops::TunedVariant()};
    add_variants(
        NETCL_VARIANT_REDUCTION_SEQUENTIAL,
        [&](netcl_variant v) { ops::choose_reduction(target, outputs, count, dtype, v); },
        ops::choose_reduction(target, outputs, count, dtype, 0).variant);
    add_numbers("groups", {0, 4, 16, 64, 256, 1024});
    space_.constrain("groups == 0 or variant == 'reduction_workgroup'");
  }

 private:
  void make_inputs() override { inputs_ = {random_tensor(dtype_, {outputs_, count_}, 1)}; }
  TensorRef run(const TensorRef& into, const ops::Run& run) override {
    static constexpr int32_t kAxes[] = {1};
    ops::ReduceRequest request;
    request.kind = NETCL_REDUCTION_SUM;
    request.axes = kAxes;
    return ops::reduce(*inputs_[0], request, into, run);
  }
  ops::VariantConfig resolved() override {
    return ops::choose_reduction(ops::VariantTarget(*device_), outputs_, count_, dtype_, 0);
  }
  int64_t outputs_, count_;
  netcl_dtype dtype_;
};

}  // namespace

std::shared_ptr<Subject> make_matmul_subject(Device& device, int64_t batch, int64_t m, int64_t n,
                                             int64_t k, netcl_dtype dtype) {
  return std::make_shared<MatmulSubject>(device, batch, m, n, k, dtype);
}

std::shared_ptr<Subject> make_conv2d_subject(Device& device, const netcl_conv2d_shape& shape,
                                             netcl_dtype dtype) {
  return std::make_shared<Conv2dSubject>(device, shape, dtype);
}

std::shared_ptr<Subject> make_reduction_subject(Device& device, int64_t outputs, int64_t count,
                                                netcl_dtype dtype) {
  return std::make_shared<ReductionSubject>(device, outputs, count, dtype);
}

}  // namespace netcl::tune
