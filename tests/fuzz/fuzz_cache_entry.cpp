// Any bytes as an entry of the program cache, and as the program inside one. What is accepted must
// be what the encoder would have written; a checksum stops nearly everything, so the payload is
// tried on its own as well.
#include <cstdint>
#include <string>
#include <string_view>

#include "kernel/cache_entry.hpp"
#include "structured.hpp"

using namespace netcl::kernel;
using netcl::fuzz::Chance;
using netcl::fuzz::changed_bytes;
using netcl::fuzz::require;

static void change_kernel(KernelRecord* kernel, Chance& chance) {
  if (kernel->args.empty() || chance.one_in(3)) kernel->args.emplace_back();
  ArgRecord& arg = kernel->args[chance.below(kernel->args.size())];
  switch (chance.below(6)) {
    case 0:
      kernel->name = changed_bytes(kernel->name);
      break;
    case 1:
      arg.name = changed_bytes(arg.name);
      break;
    case 2:
      arg.type_name = changed_bytes(arg.type_name);
      break;
    case 3:
      arg.size = static_cast<uint32_t>(netcl::fuzz::edge_number(chance));
      break;
    case 4:
      arg.is_const = !arg.is_const;
      break;
    default:
      kernel->required_local_size[chance.below(3)] =
          static_cast<uint64_t>(netcl::fuzz::edge_number(chance));
  }
}

FUZZ_MUTATION(text, chance) {
  std::string reason, key = "key", payload(text);
  if (const auto entry = decode_entry(text, &reason)) {
    key = entry->key;
    payload = entry->payload;
  }
  if (auto program = deserialize(payload); program && !chance.one_in(8)) {
    if (program->kernels.empty() || chance.one_in(4)) program->kernels.emplace_back();
    change_kernel(&program->kernels[chance.below(program->kernels.size())], chance);
    if (chance.one_in(4)) program->binary = changed_bytes(program->binary);
    payload = serialize(*program);
  } else {
    payload = changed_bytes(payload);
  }
  if (chance.one_in(4)) return payload;
  if (chance.one_in(4)) key = changed_bytes(key);
  std::string made = encode_entry(key, payload);
  // A head that is wrong in one place.
  if (chance.one_in(4)) made[chance.below(56)] ^= static_cast<char>(1 << chance.below(8));
  return made;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string reason;
  if (const auto entry = decode_entry(bytes, &reason)) {
    require(encode_entry(entry->key, entry->payload) == bytes, "an entry is not what it says");
    if (const auto program = deserialize(entry->payload)) {
      require(serialize(*program) == entry->payload, "a program is not what it says");
    }
  } else {
    require(!reason.empty(), "an entry is refused without a reason");
  }
  if (const auto program = deserialize(bytes)) {
    require(serialize(*program) == bytes, "a program is not what it says");
  }
  // The bytes split into a key and a payload must come back as they were.
  const size_t key_size = size == 0 ? 0 : data[0] % size;
  const std::string made = encode_entry(bytes.substr(0, key_size), bytes.substr(key_size));
  const auto again = decode_entry(made, &reason);
  require(
      again && again->key == bytes.substr(0, key_size) && again->payload == bytes.substr(key_size),
      "an entry does not come back");
  return 0;
}
