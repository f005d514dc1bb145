// Written by bindings/generator from include/netcl.h; changes here are lost.

use netcl_sys as sys;

mod benchmark;
mod buffer;
mod callbacks;
mod ceilings;
mod config;
mod constants;
mod device;
mod enums;
mod event;
mod expression;
mod functions;
mod infos;
mod kernel;
mod measurement;
mod options;
mod pool;
mod queue;
mod region;
mod roofline;
mod search;
mod space;
mod tensor;
mod timer;
mod tuner;
mod tuning_database;
mod op_methods;
pub mod op;

pub use benchmark::*;
pub use buffer::*;
pub use callbacks::*;
pub use ceilings::*;
pub use config::*;
pub use constants::*;
pub use device::*;
pub use enums::*;
pub use event::*;
pub use expression::*;
pub use functions::*;
pub use infos::*;
pub use kernel::*;
pub use measurement::*;
pub use options::*;
pub use pool::*;
pub use queue::*;
pub use region::*;
pub use roofline::*;
pub use search::*;
pub use space::*;
pub use tensor::*;
pub use timer::*;
pub use tuner::*;
pub use tuning_database::*;
#[allow(unused_imports)]
use crate::{Arg, DlpackTensor};
