#pragma once

#include <cstddef>
#include <vector>

namespace netcl {

// Room for more elements, so that adding them cannot fail. It at least doubles: reserving
// what is needed and no more would move all elements with each one that is added.
template <class T>
void make_room(std::vector<T>* list, size_t more = 1) {
  if (list->capacity() - list->size() < more) list->reserve(2 * list->size() + more + 4);
}

}  // namespace netcl
