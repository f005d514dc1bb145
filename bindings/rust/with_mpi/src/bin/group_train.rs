//! The example `group_train` with MPI by rsmpi: mpirun -np 4 target/release/group_train --mpi

#[path = "../../../netcl/examples/group_train.rs"]
mod program;

fn main() -> impl std::process::Termination {
    let _universe = netcl_with_mpi::begin();
    program::main()
}
