//! What the tests share. NETCL_TEST_DEVICE picks the device, "builtin" by default.
#![allow(dead_code)]

use netcl::{Backend, Buffer, Device, Error, Kernel, KernelOptions, Pool, Status};

pub fn device() -> Device {
    let selector = std::env::var("NETCL_TEST_DEVICE").unwrap_or_else(|_| "builtin".into());
    Device::open(&selector).expect("the device under test")
}

/// Whether the device is an OpenCL device, which takes kernels and has OpenCL objects.
pub fn is_opencl(device: &Device) -> bool {
    device.info().unwrap().backend == Backend::OPENCL
}

/// A kernel of a test.
pub fn kernel(device: &Device, name: &str, options: KernelOptions<'_>) -> netcl::Result<Kernel> {
    // SAFETY: there are nothing but kernels in the sources of the tests, or mistakes.
    unsafe { Kernel::with_options(device, name, options) }
}

/// A lease whose contents no test looks at before they are written.
pub fn lease(pool: &Pool, bytes: u64) -> netcl::Result<Buffer> {
    // SAFETY: as said.
    unsafe { pool.allocate(bytes) }
}

/// The error of a call that has to fail with a status and a message that holds a text.
#[track_caller]
pub fn fails<T>(result: Result<T, Error>, status: Status, text: &str) -> Error {
    match result {
        Ok(_) => panic!("the call succeeded; {status:?} was expected"),
        Err(error) => {
            assert_eq!(error.status, status, "{error}");
            assert!(error.message.contains(text), "\"{}\" lacks \"{text}\"", error.message);
            error
        }
    }
}

/// As `fails`, for errors of any status among some.
#[track_caller]
pub fn refused<T>(result: Result<T, Error>) -> Error {
    match result {
        Ok(_) => panic!("the call succeeded"),
        Err(error) => {
            assert!(!error.message.is_empty());
            error
        }
    }
}

/// Numbers in [-1, 1) from a seed that is printed where a test fails.
pub struct Random(u64);

impl Random {
    pub fn fresh() -> Random {
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let seed = time.as_nanos() as u64 | 1;
        println!("seed {seed}");
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn number(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 8_388_608.0 - 1.0
    }

    pub fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.number()).collect()
    }
}
