// What the selectors of netcl_device_open stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "netcl.h"

namespace netcl {

// The devices of the process as selectors see them, the built-in one last.
class Selectors {
 public:
  Selectors(const std::vector<netcl_device_info>& devices, const std::vector<bool>& integrated)
      : devices_(devices), integrated_(integrated) {}

  // The index of the device; as many as there are where none fits.
  size_t find(const std::string& selector) const;

  // Why none fits, with what would; `found` says in lines what was found of OpenCL.
  std::string problem(const std::string& selector, const std::string& found) const;
  // A line on what the words give.
  std::string words() const;

 private:
  size_t find_word(std::string_view word) const;
  size_t find_numbers(const std::string& selector) const;
  template <class Fits>
  size_t first(Fits fits) const;
  int place_of(size_t index) const;

  const std::vector<netcl_device_info>& devices_;
  const std::vector<bool>& integrated_;
};

// Whether a selector takes the built-in device where OpenCL has nothing that it would take.
bool falls_to_builtin(std::string_view selector);

// The lines of a text behind each other.
std::string one_line(std::string text);

}  // namespace netcl
