// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(unused_imports)]

use super::*;
#[allow(missing_docs)]
pub const VERSION_MAJOR: u32 = 0;
#[allow(missing_docs)]
pub const VERSION_MINOR: u32 = 1;
#[allow(missing_docs)]
pub const VERSION_PATCH: u32 = 0;
/// major \* 1000000 + minor \* 1000 + patch.
pub const VERSION_NUMBER: u32 = 1000;
/// Largest rank of a tensor.
pub const RANK_MAX: u32 = 8;
/// Largest number of dimensions of a launch.
pub const LAUNCH_RANK_MAX: u32 = 3;
/// Largest number of arguments of a kernel and of inputs of an expression.
pub const ARGS_MAX: u32 = 64;
/// Largest number of entries of an array that has no smaller limit.
pub const LIST_MAX: u32 = 65536;
/// Largest number of results of expressions that are evaluated together.
pub const RESULTS_MAX: u32 = 16;
/// A timeout that never runs out.
pub const WAIT_FOREVER: u64 = 18446744073709551615;
/// Largest number of inputs of a primitive.
pub const PRIMITIVE_INPUTS_MAX: u32 = 62;
/// Largest number of ranks of a group.
pub const GROUP_SIZE_MAX: u32 = 64;
/// Every process of an MPI program, as a communicator of [`Group::mpi()`].
pub const MPI_WORLD: i64 = 4294967296;
/// Largest number of dimensions of a mesh.
pub const MESH_RANK_MAX: u32 = 3;
/// In place of an axis: the ranks along a dimension of the mesh have the same block.
pub const REPLICATED: i32 = -1;
/// Largest number of extents in a [`TuningKey`].
pub const TUNING_SHAPE_MAX: u32 = 24;
/// Largest number of integer arguments in a [`TuningKey`].
pub const TUNING_SCALARS_MAX: u32 = 16;
