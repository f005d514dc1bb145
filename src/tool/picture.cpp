// SPDX-License-Identifier: Apache-2.0
#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "jpeg.hpp"
#include "owned.hpp"
#include "text.hpp"

// Set by the build where there is libpng.
#ifndef NETCL_TOOL_PNG
#define NETCL_TOOL_PNG 0
#endif
#if NETCL_TOOL_PNG
#include <png.h>
#endif

namespace netcl::tool {
namespace {

/// What a side and a whole picture may have; keeps every product of extents far from overflow.
constexpr int64_t kSideMost = 65535, kPixelsMost = int64_t{1} << 28;
constexpr std::string_view kPngMark("\x89PNG\r\n\x1a\n", 8);

/// The numbers of a PNM header. Comments run from # to the end of the line.
class PnmHeader {
 public:
  explicit PnmHeader(std::string_view bytes) : bytes_(bytes) {}

  /// The next number, behind which one blank is taken too; -1: there is none.
  int64_t number() {
    while (at_ < bytes_.size() && (is_blank(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_] == '#') at_ = std::min(bytes_.find('\n', at_), bytes_.size() - 1);
      ++at_;
    }
    int64_t value = 0;
    const size_t begin = at_;
    for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_) {
      value = std::min<int64_t>(value * 10 + (bytes_[at_] - '0'), 100000000);
    }
    if (at_ == begin || at_ == bytes_.size() || !is_blank(bytes_[at_])) return -1;
    ++at_;
    return value;
  }
  size_t at() const { return at_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  std::string_view bytes_;
  size_t at_ = 2;
};

Picture decode_pnm(const std::string& bytes, const std::string& path) {
  PnmHeader header(bytes);
  Picture picture;
  picture.width = header.number();
  picture.height = header.number();
  picture.channels = bytes[1] == '6' ? 3 : 1;
  const int64_t largest = header.number();
  if (picture.width < 0 || picture.height < 0 || largest < 0) {
    throw picture_error(path, "has no width, height and largest sample at its beginning");
  }
  require_pixels(picture.height, picture.width, path);
  if (largest != 255) {
    throw picture_error(path, format("has samples up to %lld; those of 8 bits, up to 255, are read",
                                     static_cast<long long>(largest)));
  }
  const auto count = static_cast<size_t>(picture.height * picture.width * picture.channels);
  if (bytes.size() - header.at() < count) throw picture_error(path, "ends before its last pixel");
  picture.samples.assign(bytes.begin() + static_cast<ptrdiff_t>(header.at()),
                         bytes.begin() + static_cast<ptrdiff_t>(header.at() + count));
  return picture;
}

#if NETCL_TOOL_PNG
/// A PNG without what it says of colours, for which libpng would change samples.
std::string without_colours(const std::string& bytes) {
  constexpr size_t kSignature = 8, kFrame = 12;
  std::string kept = bytes.substr(0, kSignature);
  size_t at = kept.size();
  while (bytes.size() - at >= kFrame) {
    size_t length = 0;
    for (size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
    if (length > bytes.size() - at - kFrame) break;
    const std::string type = bytes.substr(at + 4, 4);
    if (type != "gAMA" && type != "cHRM" && type != "sRGB" && type != "iCCP") {
      kept.append(bytes, at, length + kFrame);
    }
    at += length + kFrame;
  }
  return kept.append(bytes, at);
}

/// Pixels with their share of light, laid on black.
void lay_on_black(Picture* picture) {
  const auto channels = static_cast<size_t>(picture->channels);
  const size_t pixels = picture->samples.size() / (channels + 1);
  for (size_t i = 0; i < pixels; ++i) {
    const unsigned alpha = picture->samples[i * (channels + 1) + channels];
    for (size_t c = 0; c < channels; ++c) {
      const unsigned sample = picture->samples[i * (channels + 1) + c];
      picture->samples[i * channels + c] = static_cast<uint8_t>((sample * alpha + 127) / 255);
    }
  }
  picture->samples.resize(pixels * channels);
}

Picture decode_png(const std::string& file, const std::string& path) {
  const std::string bytes = without_colours(file);
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) {
    throw picture_error(path, std::string("is no PNG that can be read: ") + png.message);
  }
  Picture picture;
  picture.height = png.height;
  picture.width = png.width;
  picture.transparent = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  picture.channels = (png.format & PNG_FORMAT_FLAG_COLOR) != 0 ? 3 : 1;
  png.format &= PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA;
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  try {
    require_pixels(picture.height, picture.width, path);
    // A byte of the file stands for at most 1032 bytes, of 8 pixels each.
    if (static_cast<int64_t>(bytes.size()) < picture.height * picture.width / (1032 * 8)) {
      throw picture_error(path, "ends before its last pixel");
    }
    picture.samples.resize(PNG_IMAGE_SIZE(png));
  } catch (...) {
    png_image_free(&png);
    throw;
  }
  if (png_image_finish_read(&png, nullptr, picture.samples.data(), 0, nullptr) == 0) {
    throw picture_error(path, std::string("is no PNG that can be read: ") + png.message);
  }
  if (picture.transparent) lay_on_black(&picture);
  return picture;
}
#else
Picture decode_png(const std::string&, const std::string& path) {
  throw picture_error(path, "is a PNG, which this netcl cannot read: it was built without libpng");
}
#endif

/// The samples that a new one is made of, with weights of 22 bits behind the point.
struct Taps {
  int64_t first = 0;
  std::vector<int32_t> weights;
};

constexpr int kWeightBits = 22;

std::vector<Taps> resize_taps(int64_t from, int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const double support = std::max(scale, 1.0);
  std::vector<Taps> all(static_cast<size_t>(to));
  std::vector<double> weights;
  for (int64_t i = 0; i < to; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale;
    const int64_t first = std::max<int64_t>(static_cast<int64_t>(center - support + 0.5), 0);
    const int64_t last = std::min<int64_t>(static_cast<int64_t>(center + support + 0.5), from);
    weights.clear();
    double sum = 0;
    for (int64_t x = first; x < last; ++x) {
      const double off = std::fabs((static_cast<double>(x) - center + 0.5) * (1.0 / support));
      weights.push_back(off < 1.0 ? 1.0 - off : 0.0);
      sum += weights.back();
    }
    Taps& taps = all[static_cast<size_t>(i)];
    taps.first = first;
    for (const double weight : weights) {
      taps.weights.push_back(
          static_cast<int32_t>(0.5 + weight / sum * static_cast<double>(1 << kWeightBits)));
    }
  }
  return all;
}

/// Resizes one axis: `lines` of `from` places that lie `step` samples apart.
struct ResizeAxis {
  const uint8_t* in;
  uint8_t* out;
  int64_t step;

  void run(const Taps& taps, int64_t place) const {
    for (int64_t c = 0; c < step; ++c) {
      const uint8_t* sample = in + taps.first * step + c;
      int64_t sum = int64_t{1} << (kWeightBits - 1);
      for (const int32_t weight : taps.weights) {
        sum += int64_t{weight} * *sample;
        sample += step;
      }
      out[place * step + c] = static_cast<uint8_t>(std::clamp<int64_t>(sum >> kWeightBits, 0, 255));
    }
  }
};

std::vector<uint8_t> resize_axis(const std::vector<uint8_t>& samples, int64_t lines, int64_t from,
                                 int64_t to, int64_t step) {
  std::vector<uint8_t> out(static_cast<size_t>(lines * to * step));
  const std::vector<Taps> taps = resize_taps(from, to);
  for (int64_t line = 0; line < lines; ++line) {
    const ResizeAxis axis{samples.data() + line * from * step, out.data() + line * to * step, step};
    for (int64_t i = 0; i < to; ++i) axis.run(taps[static_cast<size_t>(i)], i);
  }
  return out;
}

}  // namespace

ToolError picture_error(const std::string& path, const std::string& problem) {
  return ToolError("the picture " + visible(path) + " " + problem);
}

void require_pixels(int64_t height, int64_t width, const std::string& path) {
  if (height >= 1 && width >= 1 && height <= kSideMost && width <= kSideMost &&
      height * width <= kPixelsMost) {
    return;
  }
  throw picture_error(
      path, format("has %lld x %lld pixels; sides of 1 to %lld and %lld pixels in "
                   "all can be read",
                   static_cast<long long>(height), static_cast<long long>(width),
                   static_cast<long long>(kSideMost), static_cast<long long>(kPixelsMost)));
}

bool is_picture(std::string_view bytes) {
  const bool pnm = bytes.size() > 2 && bytes[0] == 'P' && (bytes[1] == '5' || bytes[1] == '6');
  return pnm || is_jpeg(bytes) || bytes.substr(0, kPngMark.size()) == kPngMark;
}

Picture decode_picture(const std::string& bytes, const std::string& path) {
  if (is_jpeg(bytes)) return decode_jpeg(bytes, path);
  return bytes[0] == 'P' ? decode_pnm(bytes, path) : decode_png(bytes, path);
}

Picture resize_picture(const Picture& picture, int64_t height, int64_t width) {
  Picture made = picture;
  made.height = height;
  made.width = width;
  if (width != picture.width) {
    made.samples =
        resize_axis(made.samples, picture.height, picture.width, width, picture.channels);
  }
  if (height != picture.height) {
    made.samples = resize_axis(made.samples, 1, picture.height, height, width * picture.channels);
  }
  return made;
}

Picture crop_picture(const Picture& picture, int64_t top, int64_t left, int64_t height,
                     int64_t width) {
  Picture made = picture;
  made.height = height;
  made.width = width;
  made.samples.clear();
  for (int64_t y = top; y < top + height; ++y) {
    const auto begin = picture.samples.begin() + (y * picture.width + left) * picture.channels;
    made.samples.insert(made.samples.end(), begin, begin + width * picture.channels);
  }
  return made;
}

Picture recolor_picture(const Picture& picture, int64_t channels) {
  if (channels == picture.channels) return picture;
  Picture made = picture;
  made.channels = channels;
  made.samples.clear();
  const auto count = static_cast<size_t>(picture.height * picture.width);
  for (size_t i = 0; i < count; ++i) {
    if (channels == 3) {
      made.samples.insert(made.samples.end(), 3, picture.samples[i]);
    } else {
      const uint8_t* const c = picture.samples.data() + 3 * i;
      made.samples.push_back(
          static_cast<uint8_t>((c[0] * 19595 + c[1] * 38470 + c[2] * 7471 + 0x8000) >> 16));
    }
  }
  return made;
}

}  // namespace netcl::tool
