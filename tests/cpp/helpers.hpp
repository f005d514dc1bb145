/*
 * What tests of netcl.hpp share. The file that includes this says in MUST(call) and in
 * fails(status, text, call) how its mode tells of errors.
 */
#ifndef NETCL_TESTS_CPP_HELPERS_HPP
#define NETCL_TESTS_CPP_HELPERS_HPP

namespace {

using netcl::dtype;
using netcl::tensor;
using netcl::tensor_ref;
using std::vector;

/** A handle that was released: the number of one, of whatever type. */
template <class Ref>
Ref released() {
  tensor gone =
      MUST(tensor::create_zeros(MUST(netcl::device::open(test_selector())), dtype::f32, {1}));
  typename Ref::raw_type* stale = reinterpret_cast<typename Ref::raw_type*>(gone.raw());
  gone.reset();
  return Ref(stale);
}

template <class F>
void closes(F&& call, const char* place) {
  fails(netcl::status::invalid_handle, (std::string(place) + " is 0x").c_str(), call);
}

netcl::device_ref device_of(void** state) {
  return netcl::device_ref(static_cast<Fixture*>(*state)->device);
}

uint64_t live(netcl::handle_type type) { return MUST(netcl::library_get_live_count(type)); }

tensor floats(void** state, const vector<float>& list) {
  return MUST(netcl::tensor_from(device_of(state), list));
}

template <class T>
void same(const vector<T>& got, const vector<T>& wanted) {
  assert_int_equal(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); i++) {
    if (!(got[i] == wanted[i])) {
      fail_msg("[%zu] is %g and not %g", i, static_cast<double>(got[i]),
               static_cast<double>(wanted[i]));
    }
  }
}

template <class T>
vector<T> host(tensor_ref x) {
  return MUST(netcl::to_vector<T>(x, std::chrono::seconds(120)));
}

}  // namespace

#endif
