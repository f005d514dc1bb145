//! Raw declarations of [netcl](https://docs.rs/netcl), as `netcl.h` has them.
//!
//! Everything here is written from the header by `bindings/generator`. Programs use the crate
//! `netcl`, which is safe; this one is for what that does not cover. The conventions (handles,
//! sizes of structs, status and messages) are those of the header.
//!
//! The build script looks for the library in `NETCL_LIB_DIR`, then asks pkg-config. Dependents find
//! the folders in `DEP_NETCL_LIBDIR` and `DEP_NETCL_INCLUDE`.
#![allow(non_camel_case_types, clippy::too_many_arguments)]
// Set by the build script, see there; compilers before 1.80 do not know the lint.
#![allow(unknown_lints, unexpected_cfgs)]

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

#[rustfmt::skip]
mod generated;
pub use generated::*;

/// Counts a call. The first call of each function adds its name to the file that the environment
/// variable `NETCL_CALLS_FILE` names, so that the calls of several processes can be put together.
#[cfg(netcl_count_calls)]
fn count_call(index: usize) {
    use std::io::Write;
    if COUNTS[index].fetch_add(1, std::sync::atomic::Ordering::Relaxed) != 0 {
        return;
    }
    if let Some(path) = std::env::var_os("NETCL_CALLS_FILE") {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        // A test that cannot write shows up as a function that nobody called.
        let _ = file.and_then(|mut f| f.write_all(format!("{}\n", NAMES[index]).as_bytes()));
    }
}
