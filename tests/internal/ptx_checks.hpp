// Checks of kernels in PTX that need no GPU.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

extern "C" {
#include "support.h"
}

inline constexpr uint32_t kPtxLocalBytes = 232448;

inline std::string find_ptxas() {
  if (const char* given = std::getenv("NETCL_PTXAS")) return given;
  for (const char* known : {"ptxas", "/usr/local/cuda/bin/ptxas"}) {
    if (std::system((std::string(known) + " --version >/dev/null 2>&1").c_str()) == 0) return known;
  }
  return {};
}

inline size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

inline uint32_t local_bytes(const std::string& text) {
  const char kName[] = "local_memory[";
  const size_t at = text.find(kName);
  if (at == std::string::npos) return 0;
  return static_cast<uint32_t>(std::strtoul(text.c_str() + at + sizeof kName - 1, nullptr, 10));
}

// The text has the entry of its name, fits local memory, and has no holes.
inline void check_text(const std::string& name, const std::string& text) {
  CHECK(count(text, ".entry " + name + "(") == 1, "%s has no entry of its name", name.c_str());
  CHECK(local_bytes(text) <= kPtxLocalBytes - 1024, "%s takes %u bytes of local memory",
        name.c_str(), local_bytes(text));
  CHECK(text.find('$') == std::string::npos && text.find("(null)") == std::string::npos,
        "%s has a hole", name.c_str());
}

// The types of a kernel's parameters, in their order: p memory, l 64-bit, w 32-bit, f f32.
inline std::string parameters_of(const std::string& text) {
  std::string kinds;
  for (size_t at = text.find(".param ."); at != std::string::npos;
       at = text.find(".param .", at + 1)) {
    const std::string type = text.substr(at + 8, 8);
    const bool wide = type.substr(0, 3) == "u64";
    kinds += type == "u64 .ptr" ? 'p' : type[0] == 'f' ? 'f' : wide ? 'l' : 'w';
  }
  return kinds;
}

// The assembler: $NETCL_PTXAS, in PATH, or of CUDA. Where there is none the test is skipped.
class Ptxas {
 public:
  Ptxas() : program_(find_ptxas()) {
    // Skipping leaves without destructors: nothing of this is on the heap yet.
    if (program_.empty()) SKIP("there is no ptxas; NETCL_PTXAS names one");
    folder_ = "/tmp/netcl-ptx-XXXXXX";
    assert_non_null(mkdtemp(folder_.data()));
  }

  ~Ptxas() {
    for (const char* name : {"/kernel.ptx", "/kernel.cubin", "/log"}) {
      unlink((folder_ + name).c_str());
    }
    rmdir(folder_.c_str());
  }

  // For sm_90a, without a spilled register.
  void assemble(const std::string& name, std::string text) const {
    // Outside of a driver only memory that a launch sizes may be above 48 KB.
    const size_t first = text.find(" .shared .align 1024 .b8 local_memory[");
    if (first != std::string::npos) {
      text.replace(first, text.find('\n', first) - first, "");
      text.insert(text.find(".entry"), ".extern .shared .align 1024 .b8 local_memory[];\n");
    }
    std::ofstream(folder_ + "/kernel.ptx") << text;
    const std::string command = program_ + " -arch=sm_90a -Werror -v " + folder_ +
                                "/kernel.ptx -o " + folder_ + "/kernel.cubin >" + folder_ +
                                "/log 2>&1";
    const int status = std::system(command.c_str());
    std::ifstream log(folder_ + "/log");
    const std::string said((std::istreambuf_iterator<char>(log)), std::istreambuf_iterator<char>());
    CHECK(status == 0, "%s: %s", name.c_str(), said.c_str());
    CHECK(said.find(" 0 bytes spill stores, 0 bytes spill loads") != std::string::npos,
          "%s spills registers: %s", name.c_str(), said.c_str());
  }

 private:
  std::string program_, folder_;
};
