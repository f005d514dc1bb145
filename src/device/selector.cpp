#include "device/selector.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/ascii.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "core/utf8.hpp"

namespace netcl {
namespace {

// A shorter part would fit nearly every device.
constexpr size_t kPartMin = 2;
// Bytes of a message that says why no device fits.
constexpr size_t kProblemMax = 599;

constexpr std::string_view kWords[] = {"auto", "gpu", "accel", "cpu", "builtin"};

// The word as it stands above; empty for a selector that is none.
std::string_view word_of(std::string_view selector) {
  for (const std::string_view word : kWords) {
    if (same_ignoring_case(selector, word)) return word;
  }
  return {};
}

bool is_numbers(std::string_view selector) {
  return selector.find_first_not_of("0123456789:") == std::string_view::npos;
}

// Drivers write what they are known by, PoCL or CUDA, into the version too.
bool is_called(const netcl_device_info& info, std::string_view part) {
  for (const char* text : {info.name, info.vendor, info.platform_name, info.version}) {
    if (find_ignoring_case(text, part) != std::string_view::npos) return true;
  }
  return false;
}

// How many letters have to be changed, put in or taken out to make a word of a text.
size_t letters_apart(std::string_view text, std::string_view word) {
  std::array<size_t, 16> row{};  // from the text so far to each beginning of the word
  for (size_t j = 0; j <= word.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= text.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= word.size(); ++j) {
      const size_t changed = diagonal + (lower(text[i - 1]) == word[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row[word.size()];
}

// The word that was probably meant: "gpu" by "gpu:0", "builtin" by "built_in"; empty for none.
std::string_view meant_word(std::string_view selector) {
  std::string_view nearest;
  size_t least = SIZE_MAX;
  for (const std::string_view word : kWords) {
    if (same_ignoring_case(selector.substr(0, word.size()), word)) return word;
    const size_t apart = letters_apart(selector.substr(0, 16), word);
    if (3 * apart > word.size() || apart >= least) continue;
    nearest = word;
    least = apart;
  }
  return nearest;
}

std::string device_text(const netcl_device_info& info) {
  return info.backend == NETCL_BACKEND_BUILTIN
             ? format("%u \"%s\"", info.index, info.name)
             : format("%u (%u:%u) \"%s\" [%s]", info.index, info.platform_index, info.device_index,
                      info.name, info.platform_name);
}

}  // namespace

bool falls_to_builtin(std::string_view selector) {
  const std::string_view word = word_of(selector);
  return word == "auto" || word == "cpu";
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
    text.replace(at, 1, "; ");
  }
  return text;
}

// Discrete GPUs, integrated ones, accelerators, CPUs of OpenCL, other devices, the built-in one.
int Selectors::place_of(size_t index) const {
  const netcl_device_info& info = devices_[index];
  if (info.backend == NETCL_BACKEND_BUILTIN) return 8;
  const int type = info.type == NETCL_DEVICE_GPU           ? 0
                   : info.type == NETCL_DEVICE_ACCELERATOR ? 1
                   : info.type == NETCL_DEVICE_CPU         ? 2
                                                           : 3;
  return 2 * type + (integrated_[index] ? 1 : 0);
}

template <class Fits>
size_t Selectors::first(Fits fits) const {
  size_t best = devices_.size();
  for (size_t i = 0; i < devices_.size(); ++i) {
    if (fits(devices_[i]) && (best == devices_.size() || place_of(i) < place_of(best))) best = i;
  }
  return best;
}

size_t Selectors::find_word(std::string_view word) const {
  return first([&](const netcl_device_info& info) {
    if (info.backend == NETCL_BACKEND_BUILTIN) return word != "gpu" && word != "accel";
    switch (info.type) {
      case NETCL_DEVICE_GPU:
        return word == "gpu" || word == "auto";
      case NETCL_DEVICE_ACCELERATOR:
        return word == "accel" || word == "auto";
      case NETCL_DEVICE_CPU:
        return word == "cpu" || word == "auto";
      default:
        return false;
    }
  });
}

size_t Selectors::find_numbers(const std::string& selector) const {
  const std::string_view text = selector;
  const size_t none = devices_.size(), colon = text.find(':');
  uint32_t platform, index;
  if (colon == std::string_view::npos) {
    return parse_number(text, &index) && index < none ? index : none;
  }
  if (!parse_number(text.substr(0, colon), &platform) ||
      !parse_number(text.substr(colon + 1), &index)) {
    return none;
  }
  return first([=](const netcl_device_info& info) {
    return info.backend != NETCL_BACKEND_BUILTIN && info.platform_index == platform &&
           info.device_index == index;
  });
}

size_t Selectors::find(const std::string& selector) const {
  const std::string_view word = word_of(selector);
  if (!word.empty()) return find_word(word);
  if (is_numbers(selector)) return find_numbers(selector);
  if (selector.size() < kPartMin) return devices_.size();
  return first([&](const netcl_device_info& info) { return is_called(info, selector); });
}

std::string Selectors::problem(const std::string& selector, const std::string& found) const {
  const bool could_fit = !word_of(selector).empty() || is_numbers(selector);
  const std::string_view meant = could_fit ? std::string_view() : meant_word(selector);
  std::string text = "selector is " + quoted(selector.c_str());
  text += could_fit ? " and no such device exists" : ", which no device fits";
  if (!meant.empty()) text += "; did you mean \"" + std::string(meant) + '"';
  text += meant.empty() ? ". " : "? ";
  if (!could_fit) {
    text +=
        "A selector is auto, gpu, accel, cpu, builtin, an index, platform:device, or a part of a "
        "device's name, vendor, platform or version. ";
  }
  text += "Devices: ";
  for (size_t i = 0; i < devices_.size(); ++i) {
    text += (i == 0 ? "" : ", ") + device_text(devices_[i]);
  }
  text += ". " + one_line(found);
  if (text.size() <= kProblemMax) return text;
  static constexpr std::string_view kMore = " ...; netcl_device_diagnose tells more";
  return std::string(utf8_prefix(text, kProblemMax - kMore.size())).append(kMore);
}

std::string Selectors::words() const {
  std::string text = "selectors:";
  for (const std::string_view word : kWords) {
    const size_t index = find_word(word);
    text += format("%s %.*s is ", word == kWords[0] ? "" : ",", static_cast<int>(word.size()),
                   word.data());
    text += index < devices_.size() ? format("device %zu", index) : "none";
  }
  return text;
}

}  // namespace netcl
