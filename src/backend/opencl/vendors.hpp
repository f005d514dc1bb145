// What the ICD loader has been told to load, and why some of it may not have worked.
#pragma once

#include <string>

namespace netcl::backend::opencl {

// One finding per line: each .icd file and each entry of OCL_ICD_FILENAMES with its library,
// whether that is loaded and why not, and an empty or missing vendor folder. Loads libraries to
// learn the reason, as the loader itself did.
std::string inspect_vendors();

}  // namespace netcl::backend::opencl
