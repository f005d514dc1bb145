//! Stands in for `ndarray` while cargo resolves dependencies without a network: it looks up
//! optional ones too. Nothing is in it, so nothing can be compiled with it.
compile_error!(
    "this only stands in for ndarray. To use netcl with its feature `ndarray`, depend on netcl from \
     a crate of your own, without the line `ndarray = { path = \".../offline/ndarray\" }` in its \
     [patch.crates-io]; bindings/rust/check.sh does so for the tests."
);
