//! Stands in for `bytemuck` while cargo resolves dependencies without a network: it looks up
//! optional ones too. Nothing is in it, so nothing can be compiled with it.
compile_error!(
    "this only stands in for bytemuck in the workspace of netcl. To use netcl with its feature \
     `bytemuck`, depend on netcl from a crate of your own. bindings/rust/check.sh tests the feature."
);
