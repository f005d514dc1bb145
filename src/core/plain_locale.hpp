// What the library writes is the same under any locale of the host: numbers have a point.
#pragma once

#include <locale.h>

namespace netcl {

// The locale "C", or nullptr when there was no memory for it.
locale_t plain_locale() noexcept;

// While this lives, its thread writes by that locale.
class PlainLocale {
 public:
  PlainLocale() noexcept;
  ~PlainLocale();
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

 private:
  locale_t before_ = nullptr;
};

}  // namespace netcl
