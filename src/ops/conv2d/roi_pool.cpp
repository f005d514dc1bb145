#include "ops/conv2d/roi_pool.hpp"

#include <cmath>

#include "core/number.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::RoiFact;
using netcl::cpu::RoiSpreadTask;
using netcl::cpu::RoiTask;

void check_roi_settings(const RoiPoolSettings& settings) {
  const auto refuse = [](const char* name, int64_t value, int64_t least, int64_t most) {
    if (value >= least && value <= most) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %lld; it is %lld to %lld", name,
         static_cast<long long>(value), static_cast<long long>(least),
         static_cast<long long>(most));
  };
  refuse("kind", settings.kind, NETCL_ROI_POOLING_AVERAGE, NETCL_ROI_POOLING_MAX);
  refuse("options->bins[0]", settings.rows, 1, 1 << 16);
  refuse("options->bins[1]", settings.columns, 1, 1 << 16);
  refuse("options->samples", settings.samples, 0, kRoiSamplesMost);
  if (!std::isfinite(settings.scale)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->scale is %s; it is finite",
         number_text(settings.scale).c_str());
  }
}

void check_roi_tensors(const Tensor& x, const Tensor& rois, const Tensor& images, const Run& run) {
  require_device(rois, run, "rois");
  require_device(images, run, "images");
  const Layout &from = x.layout(), &list = rois.layout(), &numbers = images.layout();
  const bool fits = from.rank == 4 && list.rank == 2 && list.shape[1] == 4 && numbers.rank == 1 &&
                    numbers.shape[0] == list.shape[0];
  if (!fits) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "x has shape %s, rois %s and images %s; they are [N, C, H, W], [R, 4] and [R]",
         shape_text(from).c_str(), shape_text(list).c_str(), shape_text(numbers).c_str());
  }
  const bool places = rois.dtype() == NETCL_F32 || rois.dtype() == NETCL_F64;
  const bool index = images.dtype() == NETCL_I32 || images.dtype() == NETCL_I64;
  if (!is_float(x.dtype()) || !places || !index) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "x is %s, rois is %s and images is %s; they are floats, f32 or f64, and i32 or i64",
         dtype_facts(x.dtype()).name, dtype_facts(rois.dtype()).name,
         dtype_facts(images.dtype()).name);
  }
  if (x.empty() && list.shape[0] != 0 && from.shape[1] != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has shape %s, which is no elements",
         shape_text(from).c_str());
  }
  require_f64(run, x.dtype(), "x");
  require_f64(run, rois.dtype(), "rois");
}

// What both kernels are told of regions.
void add_regions(const Tensor& rois, const RoiPoolSettings& settings, Arguments* arguments) {
  arguments->scalar(settings.samples);
  if (rois.dtype() == NETCL_F64) {
    arguments->scalar(settings.scale);
  } else {
    arguments->scalar(static_cast<float>(settings.scale));
  }
}
std::string region_flags(const Tensor& x, netcl_dtype result, const Tensor& rois,
                         const Tensor& images, const RoiPoolSettings& settings) {
  std::string flags = std::string("-DX=") + dtype_facts(x.dtype()).name;
  flags += std::string(" -DY=") + dtype_facts(result).name;
  flags += rois.dtype() == NETCL_F64 ? " -DR=double" : " -DR=float";
  flags += images.dtype() == NETCL_I64 ? " -DI=long" : " -DI=int";
  flags += " -DKIND=" + number_text(int64_t{settings.kind});
  return flags + (settings.half_pixel ? " -DHALF_PIXEL=1" : " -DHALF_PIXEL=0");
}

netcl_dtype wide_of(const Tensor& tensor) {
  return tensor.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
}

TensorRef told(const Tensor& x, const Tensor& rois, const Tensor& images,
               const RoiPoolSettings& settings, RoiFact fact, const TensorRef& into,
               const Run& asked) {
  const int64_t shape[4] = {rois.layout().shape[0], x.layout().shape[1], settings.rows,
                            settings.columns};
  const netcl_dtype dtype = fact == RoiFact::value   ? x.dtype()
                            : fact == RoiFact::place ? NETCL_I64
                                                     : wide_of(x);
  const TensorRef result = result_tensor(into, 4, shape, dtype, asked);
  if (result->empty()) return result;
  const Run run = with_work(asked, [&] {
    const double count = static_cast<double>(result->element_count());
    const double samples = static_cast<double>(std::max<int64_t>(settings.samples, 1));
    return work_of("roi_pool", x.dtype(), count * samples * samples * 8, {&x, &rois, &images},
                   {result.get()});
  });
  if (!runs_native(run.device())) {
    Arguments arguments;
    arguments.memory(x.memory(), false);
    arguments.memory(rois.memory(), false);
    arguments.memory(images.memory(), false);
    arguments.memory(result->memory(), true);
    for (const Tensor* const tensor : {&x, &rois, &images}) arguments.layout(tensor->layout());
    arguments.layout(result->layout());
    add_regions(rois, settings, &arguments);
    launch_rows("roi_pool.cl", "netcl_roi_pool",
                region_flags(x, dtype, rois, images, settings) +
                    " -DFACT=" + number_text(static_cast<int64_t>(fact)),
                shape[0] * shape[1] * settings.rows, settings.columns, true, arguments, run);
    return result;
  }
  RoiTask task;
  task.x = x.layout();
  task.rois = rois.layout();
  task.images = images.layout();
  task.y = result->layout();
  task.settings = settings;
  task.dtype = x.dtype();
  task.places = rois.dtype();
  task.index = images.dtype();
  task.fact = fact;
  enqueue_native({{x.memory(), false},
                  {rois.memory(), false},
                  {images.memory(), false},
                  {result->memory(), true}},
                 run, [task](const NativeCall& call) {
                   RoiTask own = task;
                   own.x_data = call.at<void>(0);
                   own.rois_data = call.at<void>(1);
                   own.images_data = call.at<void>(2);
                   own.y_data = call.at<void>(3);
                   netcl::cpu::roi_pool(own, call.threads);
                 });
  return result;
}

}  // namespace

TensorRef roi_pool(const Tensor& x, const Tensor& rois, const Tensor& images,
                   const RoiPoolSettings& settings, const TensorRef& into, const Run& run) {
  check_roi_settings(settings);
  check_roi_tensors(x, rois, images, run);
  refuse_sharing(into, x, "x");
  refuse_sharing(into, rois, "rois");
  refuse_sharing(into, images, "images");
  return told(x, rois, images, settings, RoiFact::value, into, run);
}

TensorRef roi_pool_places(const Tensor& x, const Tensor& rois, const Tensor& images,
                          const RoiPoolSettings& settings, const TensorRef& into, const Run& run) {
  return told(x, rois, images, settings, RoiFact::place, into, run);
}

TensorRef roi_pool_weights(const Tensor& x, const Tensor& rois, const Tensor& images,
                           const RoiPoolSettings& settings, const TensorRef& into, const Run& run) {
  return told(x, rois, images, settings, RoiFact::weight, into, run);
}

TensorRef roi_pool_gradient(const Tensor& grad, const Tensor& rois, const Tensor& images,
                            const std::array<int64_t, 4>& shape, const RoiPoolSettings& settings,
                            const TensorRef& into, const Run& asked) {
  const TensorRef result = result_tensor(into, 4, shape.data(), wide_of(grad), asked);
  if (result->empty()) return result;
  const Run run = with_work(asked, [&] {
    return work_of("roi_pool_gradient", grad.dtype(),
                   static_cast<double>(grad.element_count()) * 8, {&grad, &rois, &images},
                   {result.get()});
  });
  if (!runs_native(run.device())) {
    Arguments arguments;
    arguments.memory(grad.memory(), false);
    arguments.memory(rois.memory(), false);
    arguments.memory(images.memory(), false);
    arguments.memory(result->memory(), true);
    for (const Tensor* const tensor : {&grad, &rois, &images}) arguments.layout(tensor->layout());
    arguments.layout(result->layout());
    add_regions(rois, settings, &arguments);
    launch_rows("roi_pool_gradient.cl", "netcl_roi_pool_gradient",
                region_flags(grad, result->dtype(), rois, images, settings),
                shape[0] * shape[1] * shape[2], 1, true, arguments, run);
    return result;
  }
  RoiSpreadTask task;
  task.grad = grad.layout();
  task.rois = rois.layout();
  task.images = images.layout();
  task.result = result->layout();
  task.settings = settings;
  task.dtype = grad.dtype();
  task.places = rois.dtype();
  task.index = images.dtype();
  enqueue_native({{grad.memory(), false},
                  {rois.memory(), false},
                  {images.memory(), false},
                  {result->memory(), true}},
                 run, [task](const NativeCall& call) {
                   RoiSpreadTask own = task;
                   own.grad_data = call.at<void>(0);
                   own.rois_data = call.at<void>(1);
                   own.images_data = call.at<void>(2);
                   own.result_data = call.at<void>(3);
                   netcl::cpu::roi_spread(own, call.threads);
                 });
  return result;
}

}  // namespace netcl::ops
