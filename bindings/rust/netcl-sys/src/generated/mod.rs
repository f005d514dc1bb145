// Written by bindings/generator from include/netcl.h; changes here are lost.

mod types;
pub use types::*;

#[cfg(not(feature = "count-calls"))]
mod functions;
#[cfg(not(feature = "count-calls"))]
pub use functions::*;

#[cfg(feature = "count-calls")]
mod counted;
#[cfg(feature = "count-calls")]
#[path = "functions.rs"]
mod functions;
#[cfg(feature = "count-calls")]
pub use counted::*;

#[cfg(all(test, target_pointer_width = "64"))]
mod layout;
