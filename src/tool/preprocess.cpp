// SPDX-License-Identifier: Apache-2.0
#include "preprocess.hpp"

#include <algorithm>
#include <cmath>

#include "owned.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

constexpr int64_t kPictureSideMost = 65535;
/// Of what is resized or given to a model: some 800 MB of it.
constexpr int64_t kFittedPixelsMost = int64_t{1} << 26;
/// The defaults: how torchvision shows pictures to what was trained on ImageNet.
constexpr int64_t kUsualCrop = 224, kUsualShorter = 256;
constexpr double kUsualMean[3] = {0.485, 0.456, 0.406}, kUsualStd[3] = {0.229, 0.224, 0.225};

/// "none", "256" or "224x320": height x width.
struct AskedExtents {
  bool given = false;
  bool none = false;
  bool one = false;
  int64_t height = 0;
  int64_t width = 0;
};

AskedExtents read_extents(const Options& options, const char* name) {
  AskedExtents asked;
  if (!options.has(name)) return asked;
  asked.given = true;
  const std::string text = options.text(name);
  if (text == "none") {
    asked.none = true;
    return asked;
  }
  const std::vector<std::string> parts = split(text, 'x');
  for (const std::string& part : parts) {
    const char* hint = "";
    const std::optional<double> number = read_decimal(part, &hint);
    if (parts.size() > 2 || !number || *number != std::floor(*number) || *number < 1 ||
        *number > kPictureSideMost) {
      const std::string problem = format("%s takes none, N or HEIGHTxWIDTH, 1 to %lld, unlike",
                                         name, static_cast<long long>(kPictureSideMost));
      throw UsageProblem(problem.c_str(), text);
    }
    asked.width = static_cast<int64_t>(*number);
    if (asked.height == 0) asked.height = asked.width;
  }
  asked.one = parts.size() == 1;
  return asked;
}

/// A number, or one by another: "1/255".
double read_factor(const Options& options, const char* name, double fallback) {
  if (!options.has(name)) return fallback;
  const std::string text = options.text(name);
  double value = 1;
  const std::vector<std::string> parts = split(text, '/');
  for (size_t i = 0; i < parts.size(); ++i) {
    const char* hint = "";
    const std::optional<double> number = read_decimal(parts[i], &hint);
    const bool fits = parts.size() <= 2 && number && std::isfinite(*number) && *number != 0;
    if (!fits) {
      throw UsageProblem(
          format("%s takes a number or a fraction such as 1/255%s, unlike", name, hint).c_str(),
          text);
    }
    value = i == 0 ? *number : value / *number;
  }
  return value;
}

/// One number for all channels, or one for each.
std::vector<double> read_channels(const Options& options, const char* name, size_t channels,
                                  const double* usual, double otherwise) {
  std::vector<double> values(channels, otherwise);
  if (!options.has(name)) {
    if (usual != nullptr) values.assign(usual, usual + channels);
    return values;
  }
  const std::string text = options.text(name);
  const std::vector<std::string> parts = split(text, ',');
  for (size_t i = 0; i < channels; ++i) {
    const char* hint = "";
    const std::optional<double> number = read_decimal(parts[parts.size() == 1 ? 0 : i], &hint);
    const bool fits = number && std::isfinite(*number) && (otherwise == 0 || *number != 0);
    if (!fits || (parts.size() != 1 && parts.size() != channels)) {
      throw UsageProblem(
          format("%s takes one number, or %zu with commas, unlike", name, channels).c_str(), text);
    }
    values[i] = *number;
  }
  return values;
}

/// One of the words of an option; the first is what it is without.
size_t read_word(const Options& options, const char* name, std::vector<std::string> words) {
  const std::string text = options.text(name, words[0].c_str());
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end() && !(options.has(name) && text.empty())) {
    return static_cast<size_t>(found - words.begin());
  }
  std::string problem = std::string(name) + " takes";
  for (const std::string& word : words) {
    if (!word.empty()) problem += " " + word + ",";
  }
  throw UsageProblem((problem + " unlike").c_str(), text);
}

ToolError input_error(const PictureInput& input, const std::string& problem) {
  return ToolError("input \"" + visible(input.name) + "\" " + problem);
}

/// Where channels, height and width lie, and what the model wants of them; -1: any.
struct PictureAxes {
  bool batch = true;
  bool last = false;  ///< channels come last: NHWC
  int64_t channels = -1;
  int64_t height = -1;
  int64_t width = -1;
};

PictureAxes find_axes(const Options& options, const PictureInput& input) {
  const size_t rank = input.shape.empty() ? 4 : input.shape.size();
  const std::vector<int64_t> shape =
      input.shape.empty() ? std::vector<int64_t>(4, -1) : input.shape;
  if (rank != 3 && rank != 4) {
    throw input_error(input, format("has %zu dimensions; a picture goes into 4, or 3 without the "
                                    "batch",
                                    rank));
  }
  if (rank == 4 && shape[0] > 1) {
    throw input_error(input,
                      format("takes %lld pictures at once; a file is one, a .npy file can be "
                             "more",
                             static_cast<long long>(shape[0])));
  }
  const auto is_color = [](int64_t extent) { return extent == 1 || extent == 3; };
  const size_t first = rank - 3;
  const size_t layout = read_word(options, "--layout", {"", "nchw", "nhwc"});
  PictureAxes axes;
  axes.batch = rank == 4;
  axes.last = layout == 2 || (layout == 0 && !is_color(shape[first]) && is_color(shape[rank - 1]));
  axes.channels = shape[axes.last ? rank - 1 : first];
  axes.height = shape[axes.last ? first : first + 1];
  axes.width = shape[axes.last ? first + 1 : first + 2];
  if (axes.channels != -1 && !is_color(axes.channels)) {
    throw input_error(input,
                      format("has %lld channels as %s; a picture has 1 or 3",
                             static_cast<long long>(axes.channels), axes.last ? "nhwc" : "nchw"));
  }
  return axes;
}

std::string pixels_text(int64_t height, int64_t width) {
  const auto one = [](int64_t extent) {
    return extent < 0 ? std::string("any") : std::to_string(extent);
  };
  return one(height) + " x " + one(width);
}

/// Resizes and crops; a line of words for each.
Picture fit_picture(const Options& options, const PictureInput& input, const PictureAxes& axes,
                    Picture picture, std::string* words) {
  const AskedExtents resize = read_extents(options, "--resize"),
                     crop = read_extents(options, "--crop");
  const int64_t crop_height = crop.given ? crop.height : axes.height > 0 ? axes.height : kUsualCrop;
  const int64_t crop_width = crop.given ? crop.width : axes.width > 0 ? axes.width : kUsualCrop;
  int64_t height = picture.height, width = picture.width;
  int64_t shorter = resize.one ? resize.height : 0;
  if (!resize.given && !crop.none) {
    shorter = std::llround(static_cast<double>(std::max(crop_height, crop_width)) * kUsualShorter /
                           kUsualCrop);
  }
  if (shorter > 0) {
    const bool upright = width <= height;
    const int64_t longer = shorter * std::max(width, height) / std::min(width, height);
    width = upright ? shorter : longer;
    height = upright ? longer : shorter;
  } else if (resize.given && !resize.none) {
    height = resize.height;
    width = resize.width;
  } else if (!resize.given && axes.height > 0 && axes.width > 0) {
    height = axes.height;
    width = axes.width;
  }
  // Its width is changed before its height.
  const int64_t highest = std::max(height, width == picture.width ? height : picture.height);
  if (height > kPictureSideMost || width > kPictureSideMost ||
      highest * width > kFittedPixelsMost) {
    throw input_error(input, "would get a picture of " + pixels_text(highest, width) +
                                 format(" pixels; %lld at most, and sides of %lld, are worked with",
                                        static_cast<long long>(kFittedPixelsMost),
                                        static_cast<long long>(kPictureSideMost)));
  }
  if (height != picture.height || width != picture.width) {
    picture = resize_picture(picture, height, width);
    *words += "  resized to " + pixels_text(height, width) +
              (shorter > 0 ? format(", the shorter side %lld", static_cast<long long>(shorter))
                           : std::string()) +
              " (bilinear, wider where it shrinks)\n";
  }
  if (crop.none || (crop_height == height && crop_width == width)) return picture;
  if (crop_height > height || crop_width > width) {
    throw input_error(input, "cannot get " + pixels_text(crop_height, crop_width) +
                                 " pixels of a picture of " + pixels_text(height, width) +
                                 "; see --resize and --crop");
  }
  *words += "  cropped to " + pixels_text(crop_height, crop_width) + " in the middle\n";
  // Halves go to the even number, as in torchvision.
  const auto top =
      static_cast<int64_t>(std::nearbyint(static_cast<double>(height - crop_height) / 2));
  const auto left =
      static_cast<int64_t>(std::nearbyint(static_cast<double>(width - crop_width) / 2));
  return crop_picture(picture, top, left, crop_height, crop_width);
}

std::string numbers_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += format("%s%g", text.empty() ? "" : ", ", number);
  return text;
}

/// What samples become.
struct SampleMap {
  double scale = 1;
  std::vector<double> mean;
  std::vector<double> std;
  bool integer = false;
  double low = 0;
  double high = 0;

  float map(uint8_t sample, size_t channel) const {
    const double value = (sample * scale - mean[channel]) / std[channel];
    if (!integer) return static_cast<float>(value);
    return static_cast<float>(std::clamp(std::nearbyint(value), low, high));
  }
};

SampleMap read_map(const Options& options, const PictureInput& input, size_t channels) {
  const bool real = input.dtype >= NETCL_F16 && input.dtype <= NETCL_F64;
  if (!real && (input.dtype < NETCL_I8 || input.dtype > NETCL_U64)) {
    throw input_error(
        input, std::string("is of ") + netcl_dtype_name(input.dtype) + "; a picture has numbers");
  }
  const bool color = real && channels == 3;
  SampleMap map;
  map.scale = read_factor(options, "--scale", real ? 1.0 / 255 : 1.0);
  map.mean = read_channels(options, "--mean", channels, color ? kUsualMean : nullptr, 0.0);
  map.std = read_channels(options, "--std", channels, color ? kUsualStd : nullptr, 1.0);
  map.integer = !real;
  // Whole numbers of up to 24 bits are exact in f32, which is what is cast.
  const double bits =
      std::min<double>(8.0 * static_cast<double>(netcl_dtype_size(input.dtype)), 24);
  const bool sign = input.dtype <= NETCL_I64;
  map.low = sign ? -std::exp2(bits - 1) : 0;
  map.high = std::exp2(sign ? bits - 1 : bits) - 1;
  return map;
}

std::string map_text(const Options& options, const SampleMap& map, const char* colors) {
  std::string scale = "1";
  if (map.scale != 1) scale = format("%g", map.scale);
  if (map.scale == 1.0 / 255) scale = "1/255";
  if (options.has("--scale")) scale = options.text("--scale");
  return format("  %s: (sample * %s - %s) / %s%s\n", colors, scale.c_str(),
                numbers_text(map.mean).c_str(), numbers_text(map.std).c_str(),
                map.integer ? ", to the nearest whole number" : "");
}

}  // namespace

PreprocessedPicture preprocess_picture(const Options& options, const PictureInput& input,
                                       const Picture& picture) {
  const PictureAxes axes = find_axes(options, input);
  const size_t colors = read_word(options, "--colors", {"", "rgb", "bgr", "gray"});
  const size_t channels = colors == 3 || (colors == 0 && axes.channels == 1) ? 1 : 3;
  if (axes.channels != -1 && axes.channels != static_cast<int64_t>(channels)) {
    throw input_error(input, format("takes %lld channels; --colors %s gives %zu",
                                    static_cast<long long>(axes.channels),
                                    options.text("--colors").c_str(), channels));
  }
  const SampleMap map = read_map(options, input, channels);
  PreprocessedPicture made;
  made.words =
      format("%s (height x width), %s%s\n", pixels_text(picture.height, picture.width).c_str(),
             picture.channels == 3 ? "in colour" : "grey",
             picture.transparent ? ", transparent parts laid on black" : "");
  const Picture fitted = fit_picture(
      options, input, axes, recolor_picture(picture, static_cast<int64_t>(channels)), &made.words);
  if ((axes.height > 0 && fitted.height != axes.height) ||
      (axes.width > 0 && fitted.width != axes.width)) {
    throw input_error(input, "takes " + pixels_text(axes.height, axes.width) +
                                 " pixels; --resize and --crop leave " +
                                 pixels_text(fitted.height, fitted.width));
  }
  made.words += map_text(options, map,
                         channels == 1 ? "grey"
                         : colors == 2 ? "blue, green, red"
                                       : "red, green, blue");
  if (axes.batch) made.shape.push_back(1);
  if (!axes.last) made.shape.push_back(fitted.channels);
  made.shape.insert(made.shape.end(), {fitted.height, fitted.width});
  if (axes.last) made.shape.push_back(fitted.channels);
  const auto count = static_cast<size_t>(fitted.height * fitted.width);
  made.elements.resize(count * channels);
  for (size_t c = 0; c < channels; ++c) {
    const size_t from = colors == 2 ? channels - 1 - c : c;
    for (size_t i = 0; i < count; ++i) {
      made.elements[axes.last ? i * channels + c : c * count + i] =
          map.map(fitted.samples[i * channels + from], c);
    }
  }
  return made;
}

}  // namespace netcl::tool
