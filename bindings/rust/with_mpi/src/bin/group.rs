//! The example `group` with MPI by rsmpi: mpirun -np 4 target/release/group --mpi

#[path = "../../../netcl/examples/group.rs"]
mod program;

fn main() -> impl std::process::Termination {
    let _universe = netcl_with_mpi::begin();
    program::main()
}
