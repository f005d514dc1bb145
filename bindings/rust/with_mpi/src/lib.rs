//! What the programs here share: MPI by the crate `mpi`, and groups of its communicators.

use mpi::environment::Universe;
use mpi::traits::AsRaw;
use netcl::{Device, Group};

/// Begins MPI. A reducer's thread calls it beside its rank where messages go by MPI.
pub fn begin() -> Universe {
    let (universe, level) =
        mpi::initialize_with_threading(mpi::Threading::Multiple).expect("MPI had begun before");
    assert_eq!(level, mpi::Threading::Multiple, "this MPI has no MPI_THREAD_MULTIPLE");
    universe
}

/// A group of the processes of a communicator, each with its device.
pub fn group_of(
    dev: &Device,
    communicator: &impl AsRaw<Raw = mpi::ffi::MPI_Comm>,
) -> netcl::Result<Group> {
    let number = unsafe { mpi::ffi::MPI_Comm_c2f(communicator.as_raw()) };
    Group::mpi(dev, number.into())
}
