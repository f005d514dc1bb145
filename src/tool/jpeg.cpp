// SPDX-License-Identifier: Apache-2.0
#include "jpeg.hpp"

#include <cstddef>
#include <cstdio>

#include "owned.hpp"
#include "text.hpp"

// Set by the build where there is libjpeg.
#ifndef NETCL_TOOL_JPEG
#define NETCL_TOOL_JPEG 0
#endif
#if NETCL_TOOL_JPEG
#include <csetjmp>
// It needs FILE and size_t before it.
#include <jpeglib.h>

#include <jerror.h>
#endif

namespace netcl::tool {

bool is_jpeg(std::string_view bytes) { return bytes.substr(0, 3) == "\xff\xd8\xff"; }

#if NETCL_TOOL_JPEG
namespace {

/// Each pass over a picture costs time, and asks for ten bytes of a file.
constexpr int kScansMost = 100;
/// What a picture with several passes keeps of itself in between.
constexpr long kMemoryMost = 1L << 30;
/// A block of 8 x 8 pixels has one bit of the file at least.
constexpr int64_t kPixelsOfByte = 512;

/// libjpeg ends what it does by a jump, so no object with a destructor lies between.
struct JpegReader {
  jpeg_decompress_struct info;
  jpeg_error_mgr errors;
  jpeg_progress_mgr progress;
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

JpegReader* reader_of(j_common_ptr info) { return static_cast<JpegReader*>(info->client_data); }

[[noreturn]] void end_reading(j_common_ptr info) {
  JpegReader* const reader = reader_of(info);
  info->err->format_message(info, reader->message);
  std::longjmp(reader->back, 1);
}

/// What is wrong with the pixels ends it too; libjpeg would make some up.
void note_warning(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_TOO_MUCH_DATA:
      return;
    default:
      end_reading(info);
  }
}

void print_nothing(j_common_ptr) {}

void count_scans(j_common_ptr info) {
  JpegReader* const reader = reader_of(info);
  if (reader->info.input_scan_number <= kScansMost) return;
  std::snprintf(reader->message, sizeof reader->message, "it has more than %d passes", kScansMost);
  std::longjmp(reader->back, 1);
}

bool begin_reading(JpegReader* reader, const std::string& bytes) {
  *reader = {};
  reader->info.err = jpeg_std_error(&reader->errors);
  reader->info.client_data = reader;
  reader->errors.error_exit = end_reading;
  reader->errors.emit_message = note_warning;
  reader->errors.output_message = print_nothing;
  if (setjmp(reader->back) != 0) return false;
  jpeg_create_decompress(&reader->info);
  reader->info.client_data = reader;
  reader->progress.progress_monitor = count_scans;
  reader->info.progress = &reader->progress;
  reader->info.mem->max_memory_to_use = kMemoryMost;
  jpeg_mem_src(&reader->info, reinterpret_cast<const unsigned char*>(bytes.data()),
               static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&reader->info, TRUE);
  return true;
}

bool read_samples(JpegReader* reader, uint8_t* samples, size_t row) {
  jpeg_decompress_struct& info = reader->info;
  if (setjmp(reader->back) != 0) return false;
  jpeg_start_decompress(&info);
  while (info.output_scanline < info.output_height) {
    JSAMPROW place = samples + info.output_scanline * row;
    jpeg_read_scanlines(&info, &place, 1);
  }
  jpeg_finish_decompress(&info);
  return true;
}

/// Gives back what libjpeg allocated, however reading ends.
struct JpegEnd {
  JpegReader* reader;
  ~JpegEnd() { jpeg_destroy_decompress(&reader->info); }
};

void check_kind(const jpeg_decompress_struct& info, size_t size, const std::string& path) {
  require_pixels(info.image_height, info.image_width, path);
  const bool grey = info.jpeg_color_space == JCS_GRAYSCALE;
  if (!grey && info.jpeg_color_space != JCS_YCbCr && info.jpeg_color_space != JCS_RGB) {
    throw picture_error(path, format("is a JPEG of %d channels that are neither grey nor red, "
                                     "green and blue, such as CMYK",
                                     info.num_components));
  }
  if (info.arith_code) throw picture_error(path, "is a JPEG with arithmetic coding");
  const int64_t pixels = int64_t{info.image_height} * info.image_width;
  if (pixels / kPixelsOfByte > static_cast<int64_t>(size)) {
    throw picture_error(path, "ends before its last pixel");
  }
}

}  // namespace

Picture decode_jpeg(const std::string& bytes, const std::string& path) {
  JpegReader reader;
  const auto failed = [&] {
    return picture_error(path, std::string("is no JPEG that can be read: ") + reader.message);
  };
  const bool begun = begin_reading(&reader, bytes);
  const JpegEnd end{&reader};
  if (!begun) throw failed();
  check_kind(reader.info, bytes.size(), path);
  Picture picture;
  picture.height = reader.info.image_height;
  picture.width = reader.info.image_width;
  picture.channels = reader.info.jpeg_color_space == JCS_GRAYSCALE ? 1 : 3;
  reader.info.out_color_space = picture.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  const auto row = static_cast<size_t>(picture.width * picture.channels);
  picture.samples.resize(static_cast<size_t>(picture.height) * row);
  if (!read_samples(&reader, picture.samples.data(), row)) throw failed();
  return picture;
}

#else

Picture decode_jpeg(const std::string&, const std::string& path) {
  throw picture_error(path,
                      "is a JPEG, which this netcl cannot read: it was built without libjpeg");
}
#endif

}  // namespace netcl::tool
