// Written by bindings/generator from include/netcl.h; changes here are lost.

mod types;
pub use types::*;

mod functions;
#[cfg(not(netcl_count_calls))]
pub use functions::*;

// For the tests of the safe layer; not part of the crate as it is published.
#[cfg(netcl_count_calls)]
#[path = "../../tests/generated/counted.rs"]
mod counted;
#[cfg(netcl_count_calls)]
pub use counted::*;

#[cfg(all(test, target_pointer_width = "64"))]
mod layout;
