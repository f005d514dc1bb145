#include "core/plain_locale.hpp"

namespace netcl {

locale_t plain_locale() noexcept {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return plain;
}

PlainLocale::PlainLocale() noexcept {
  if (const locale_t plain = plain_locale()) before_ = uselocale(plain);
}

PlainLocale::~PlainLocale() {
  if (before_ != nullptr) uselocale(before_);
}

}  // namespace netcl
