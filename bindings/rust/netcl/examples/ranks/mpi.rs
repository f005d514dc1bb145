//! What a program needs of MPI so that netcl makes a group of its processes: that it begins and
//! ends. It is opened when it is asked for, so that these programs are built where there is none. A
//! program that uses MPI by bindings of its own, such as the crate `mpi`, begins it by those.

use super::Outcome;
use std::ffi::CStr;
use std::os::raw::{c_char, c_int, c_void};

extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}
/// Parts of MPI that are opened later find its functions, so it is opened for all (RTLD_GLOBAL).
const LAZY_AND_GLOBAL: c_int = 1 | 0x100;
/// The same number in Open MPI and MPICH. A reducer's thread calls MPI beside its rank where messages
/// go by MPI.
const THREAD_MULTIPLE: c_int = 3;

type Flag = unsafe extern "C" fn(*mut c_int) -> c_int;
type Init = unsafe extern "C" fn(*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int) -> c_int;
type Finalize = unsafe extern "C" fn() -> c_int;

pub struct Mpi {
    library: *mut c_void,
    /// Whether it was begun here, and not by the program before.
    ours: bool,
}

fn check(call: &str, code: c_int) -> Outcome<()> {
    match code {
        0 => Ok(()),
        _ => Err(format!("{call} gives {code}").into()),
    }
}

impl Mpi {
    /// Begins MPI, where it has not begun.
    pub fn begin() -> Outcome<Mpi> {
        // Open MPI and MPICH, with and without the files for development.
        let names = ["libmpi.so\0", "libmpi.so.40\0", "libmpi.so.12\0", "libmpich.so.12\0"];
        let open = |name: &&str| unsafe { dlopen(name.as_ptr().cast(), LAZY_AND_GLOBAL) };
        let library = names.iter().map(open).find(|library| !library.is_null());
        let mut mpi = Mpi { library: library.ok_or("there is no libmpi.so")?, ours: false };
        let mut begun = 0;
        unsafe {
            let initialized = mpi.symbol::<Flag>(b"MPI_Initialized\0")?;
            check("MPI_Initialized", initialized(&mut begun))?;
            if begun == 0 {
                let init = mpi.symbol::<Init>(b"MPI_Init_thread\0")?;
                let (none, mut level) = (std::ptr::null_mut(), 0);
                check("MPI_Init_thread", init(none, none.cast(), THREAD_MULTIPLE, &mut level))?;
                mpi.ours = true;
                if level < THREAD_MULTIPLE {
                    return Err("this MPI has no MPI_THREAD_MULTIPLE".into());
                }
            }
        }
        Ok(mpi)
    }

    pub fn end(self) -> Outcome<()> {
        if self.ours {
            check("MPI_Finalize", unsafe { self.symbol::<Finalize>(b"MPI_Finalize\0")?() })?;
        }
        Ok(())
    }

    /// F is the type of the function.
    unsafe fn symbol<F>(&self, name: &[u8]) -> Outcome<F> {
        let name = CStr::from_bytes_with_nul(name)?;
        let found = dlsym(self.library, name.as_ptr());
        match found.is_null() {
            true => Err(format!("this MPI has no {}", name.to_string_lossy()).into()),
            false => Ok(std::mem::transmute_copy(&found)),
        }
    }
}
