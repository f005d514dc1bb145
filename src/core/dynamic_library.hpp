// Libraries that are opened at run time, and where this one lies.
#pragma once

#include <cstring>
#include <string>

#include <dlfcn.h>

namespace netcl {

// True in a set-uid program, where the environment must not choose what is loaded.
bool secure_process() noexcept;

struct OpenedLibrary {
  void* handle = nullptr;
  std::string path;     // the file that was opened
  std::string problem;  // why there is no handle, one line
  bool no_memory = false;
};
// Opens a path, or what the linker finds under a name.
OpenedLibrary open_library(const std::string& name);

template <class Function>
bool find_symbol(void* handle, const char* name, Function* function) {
  void* const symbol = ::dlsym(handle, name);
  static_assert(sizeof symbol == sizeof *function);
  std::memcpy(function, &symbol, sizeof symbol);
  return symbol != nullptr;
}

// The folder of the library, or of the program when it is linked in; "" where it is not known.
std::string own_folder();

}  // namespace netcl
