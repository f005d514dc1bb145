#include "backend/opencl/vendors.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "backend/opencl/library.hpp"
#include "backend/opencl/query.hpp"
#include "core/dynamic_library.hpp"
#include "core/error.hpp"
#include "core/file.hpp"

namespace netcl::backend::opencl {

namespace {

constexpr const char* kFolder = "/etc/OpenCL/vendors";
constexpr size_t kFilesMax = 64;

// What is known about one library that the loader was told to open.
std::string inspect_library(const std::string& source, const std::string& name) {
  if (name.empty()) return source + " names no library\n";
  if (void* loaded = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD)) {
    dlclose(loaded);
    return source + " names " + name + ": loaded\n";
  }
  void* opened = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (opened == nullptr) {
    const char* why = dlerror();
    const std::string text = why != nullptr ? clean_text(why, strlen(why), 300) : "no reason given";
    return source + " names " + name + ", which cannot be opened: " + text + "\n";
  }
  dlclose(opened);
  return source + " names " + name + ": it can be opened but offers no platform\n";
}

std::string inspect_file(const std::string& path) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path.c_str(), "rbe"), &fclose);
  if (!file) return path + " cannot be read: " + errno_text(errno) + "\n";
  char line[1024] = {};
  if (fgets(line, sizeof(line), file.get()) == nullptr) line[0] = '\0';
  return inspect_library(path, clean_text(line, sizeof(line), sizeof(line)));
}

bool ends_with(const std::string& text, const char* end) {
  const size_t length = strlen(end);
  return text.size() >= length && text.compare(text.size() - length, length, end) == 0;
}

std::string inspect_folder(const std::string& folder) {
  std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(folder.c_str()), &closedir);
  if (!directory) {
    return format("vendor folder %s cannot be read: %s\n", folder.c_str(),
                  errno_text(errno).c_str());
  }
  std::vector<std::string> files;
  while (const dirent* entry = readdir(directory.get())) {
    if (files.size() < kFilesMax && ends_with(entry->d_name, ".icd")) {
      files.emplace_back(entry->d_name);
    }
  }
  if (files.empty()) {
    return format("vendor folder %s holds no .icd file: no OpenCL driver is installed\n",
                  folder.c_str());
  }
  std::sort(files.begin(), files.end());
  std::string text;
  for (const std::string& name : files) {
    struct stat status;
    const std::string path = folder + "/" + name;
    // A FIFO or a device would block the read.
    if (stat(path.c_str(), &status) != 0) {
      text += path + " cannot be read: " + errno_text(errno) + "\n";
    } else if (!S_ISREG(status.st_mode)) {
      text += path + " is not a file\n";
    } else {
      text += inspect_file(path);
    }
  }
  return text;
}

// OCL_ICD_VENDORS names a folder; ocl-icd also takes one .icd file or one library.
std::string inspect_override(const std::string& value) {
  struct stat status;
  if (stat(value.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return inspect_folder(value);
    if (S_ISREG(status.st_mode) && ends_with(value, ".icd")) return inspect_file(value);
  }
  if (ends_with(value, ".icd") && value.find('/') == std::string::npos) {
    return inspect_file(std::string(kFolder) + "/" + value);
  }
  if (value.find(".so") != std::string::npos) return inspect_library("OCL_ICD_VENDORS", value);
  return inspect_folder(value);
}

}  // namespace

std::string inspect_vendors() {
  if (secure_process()) return std::string();
  std::string text;
  const char* vendors = getenv("OCL_ICD_VENDORS");
  if (vendors != nullptr && vendors[0] != '\0') {
    text += format("OCL_ICD_VENDORS is %s\n", quoted(vendors, 200).c_str());
    text += inspect_override(vendors);
  } else {
    text += inspect_folder(kFolder);
  }
  const char* names = getenv("OCL_ICD_FILENAMES");
  if (names != nullptr && names[0] != '\0') {
    const std::string list = clean_text(names, strlen(names), 4096);
    for (size_t begin = 0; begin <= list.size();) {
      const size_t end = std::min(list.find(':', begin), list.size());
      if (end > begin)
        text += inspect_library("OCL_ICD_FILENAMES", list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return text;
}

}  // namespace netcl::backend::opencl
