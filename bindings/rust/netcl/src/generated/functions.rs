// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(unused_imports, unused_unsafe, clippy::too_many_arguments)]

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{check, Error, Result, Scalar, Shape, Timeout};
use std::mem::MaybeUninit;
use std::os::raw::c_void;
use std::path::Path;
use std::ptr;

impl Status {
    /// Returns the name of a status, such as "[`Status::TIMEOUT`]"; "unknown status" for others.
    #[doc(alias = "netcl_status_name")]
    pub fn name(self) -> &'static str {
        unsafe { support::static_text(sys::netcl_status_name(self.0)) }
    }
}

impl Dtype {
    /// Returns "f16" ... "bool", and "invalid" for other values.
    #[doc(alias = "netcl_dtype_name")]
    pub fn name(self) -> &'static str {
        unsafe { support::static_text(sys::netcl_dtype_name(self.0)) }
    }

    /// Returns the bytes of one element, 0 for a value that is no dtype.
    #[doc(alias = "netcl_dtype_size")]
    pub fn size(self) -> usize {
        unsafe { sys::netcl_dtype_size(self.0) }
    }
}

impl Variant {
    /// Returns "matmul_naive" ... "attention_matrix_units", "auto", and "invalid" for other values.
    #[doc(alias = "netcl_variant_name")]
    pub fn name(self) -> &'static str {
        unsafe { support::static_text(sys::netcl_variant_name(self.0)) }
    }
}

impl Elementwise {
    /// Returns the ONNX name of an operator, "HardSigmoid"; "invalid" for other values.
    #[doc(alias = "netcl_elementwise_name")]
    pub fn name(self) -> &'static str {
        unsafe { support::static_text(sys::netcl_elementwise_name(self.0)) }
    }
}

impl CeilingKind {
    /// Returns "memory_read" ... "device_to_host_pinned", and "invalid" for other values.
    #[doc(alias = "netcl_ceiling_kind_name")]
    pub fn name(self) -> &'static str {
        unsafe { support::static_text(sys::netcl_ceiling_kind_name(self.0)) }
    }
}

/// Waits for all queued work, then empties every pool and program cache. Optional: a program may
/// end without it. Objects stay valid and the library usable. Fails with TIMEOUT when work is left,
/// and with [`LAUNCH_FAILURE`](Status::LAUNCH_FAILURE) when a command failed of which
/// [`Device::finish()`] has not told; then all is emptied as well.
#[doc(alias = "netcl_shutdown")]
pub fn shutdown(timeout: impl Into<Timeout>) -> Result<()> {
    check(unsafe { sys::netcl_shutdown(timeout.into().0) })
}

/// Finds an operator by its name in any case, with or without underscores.
/// [`NOT_FOUND`](Status::NOT_FOUND) naming it.
#[doc(alias = "netcl_elementwise_find")]
pub fn elementwise_find(name: &str) -> Result<Elementwise> {
    let name_c = CText::new("name", name)?;
    let mut op = Default::default();
    check(unsafe { sys::netcl_elementwise_find(name_c.as_ptr(), &mut op) })?;
    Ok(Elementwise(op))
}

/// What happens when the user presses Ctrl-C.
pub mod interrupt {
    #[allow(unused_imports)]
    use super::*;

    /// Makes SIGINT end waits of this library with CANCELLED. When one of its waits does not return
    /// within grace_ns after the signal, the process exits with code 130 (3 seconds when grace_ns
    /// is 0). A handler that was installed before is called too. Without one, a SIGINT while no
    /// call of this library waits ends the process at once with code 130. Both exits are as abrupt
    /// as that of the signal itself: no atexit handler runs and buffered output of stdio is lost. A
    /// transfer of the caller's memory that the device has begun ends before its call does. A
    /// second call of this function replaces the grace time.
    #[doc(alias = "netcl_interrupt_enable")]
    pub fn enable(grace_ns: u64) -> Result<()> {
        check(unsafe { sys::netcl_interrupt_enable(grace_ns) })
    }

    /// Puts back the SIGINT disposition that [`interrupt::enable()`] found. [`BUSY`](Status::BUSY)
    /// when another handler was installed since; nothing is changed then. OK when interrupts were
    /// not enabled.
    #[doc(alias = "netcl_interrupt_disable")]
    pub fn disable() -> Result<()> {
        check(unsafe { sys::netcl_interrupt_disable() })
    }
}

/// The error of the last call on this thread. Every [`Error`] has it already.
pub mod last_error {
    #[allow(unused_imports)]
    use super::*;

    /// Returns the message of this thread's last failing call, "" when there was none. The text is
    /// valid until the next failing call on this thread.
    #[doc(alias = "netcl_last_error_message")]
    pub fn message() -> String {
        unsafe { support::borrowed_text(sys::netcl_last_error_message()) }.into_owned()
    }

    /// Gives status, OpenCL code and message of this thread's last failing call.
    #[doc(alias = "netcl_last_error_get_info")]
    pub fn info() -> Result<ErrorInfo> {
        let mut info = MaybeUninit::<sys::netcl_error_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_last_error_get_info(info.as_mut_ptr()) })?;
        Ok(ErrorInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Says what failed, as this thread's last failing call does: for a function of the host,
    /// before it returns `status` to the library. This call itself gives [`Status::OK`], and is not
    /// what to return: a function that finds no file calls [`last_error::set()`]([`Status::IO`], 0,
    /// "no file of weights") and returns [`Status::IO`], with which the call that it was called in
    /// fails.
    ///
    /// Without it the call that it was called in has the message of the last call within it that
    /// failed, where that failed so, else one that only names the status. Negative statuses of the
    /// host's own are handed on; the library has none below -999. A function that returns one above
    /// 0 fails with [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when `status` is 0 or more, or `message` is
    /// `None`.
    ///
    /// * `native_code`: a code of OpenCL, or 0
    /// * `message`: becomes one line, and is cut where it is too long
    #[doc(alias = "netcl_last_error_set")]
    pub fn set(status: Status, native_code: i32, message: &str) -> Result<()> {
        let message_c = CText::new("message", message)?;
        check(unsafe { sys::netcl_last_error_set(status.0, native_code, message_c.as_ptr()) })
    }
}

/// The library itself: what it can do, which objects are alive, how it ends.
pub mod library {
    #[allow(unused_imports)]
    use super::*;

    /// Gives the facts of this build. Touches no driver.
    #[doc(alias = "netcl_library_get_info")]
    pub fn info() -> Result<LibraryInfo> {
        let mut info = MaybeUninit::<sys::netcl_library_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_library_get_info(info.as_mut_ptr()) })?;
        Ok(LibraryInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Counts the live handles of one type in this process.
    #[doc(alias = "netcl_library_get_live_count")]
    pub fn live_count(type_: HandleType) -> Result<u64> {
        let mut count = Default::default();
        check(unsafe { sys::netcl_library_get_live_count(type_.0, &mut count) })?;
        Ok(count)
    }

    /// Sets how long the exit of the process waits for queued work; 0 switches the waiting off. The
    /// default is 2 seconds, or `NETCL_EXIT_TIMEOUT_MS`.
    #[doc(alias = "netcl_library_set_exit_timeout")]
    pub fn set_exit_timeout(timeout: impl Into<Timeout>) -> Result<()> {
        check(unsafe { sys::netcl_library_set_exit_timeout(timeout.into().0) })
    }
}

/// The log: records with levels, read as an iterator or by a function.
pub mod log {
    #[allow(unused_imports)]
    use super::*;

    /// Sets the most detailed level that is kept. The default is WARNING, or `NETCL_LOG_LEVEL`.
    #[doc(alias = "netcl_log_set_level")]
    pub fn set_level(level: LogLevel) -> Result<()> {
        check(unsafe { sys::netcl_log_set_level(level.0) })
    }

    /// Sets the function that receives new records, `None` for none. Records are delivered at the
    /// end of calls into the library, on the calling thread; a record is delivered once. What a
    /// callback itself causes to be logged is delivered with the next call. The function is dropped
    /// once it has been replaced and no delivery to it is under way;
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when it is set and `fn_` is `None`.
    #[doc(alias = "netcl_log_set_callback")]
    pub fn set_callback(fn_: Option<LogFn>) -> Result<()> {
        let fn_box = fn_.map(|f| Box::into_raw(Box::new(f)));
        let status = unsafe {
            sys::netcl_log_set_callback(
                fn_box.map(|_| log_fn_call as _),
                fn_box.map_or(ptr::null_mut(), |f| f as *mut c_void),
                fn_box.map(|_| log_fn_destroy as _),
            )
        };
        if status != sys::NETCL_OK {
            let error = Error::last(status);
            if let Some(f) = fn_box {
                unsafe { log_fn_destroy(f as *mut c_void) };
            }
            return Err(error);
        }
        Ok(())
    }

    /// Reads the oldest kept record whose sequence is greater than `after`; needs no callback. The
    /// ring keeps the last 256; a gap in the sequence shows what was lost.
    /// [`NOT_FOUND`](Status::NOT_FOUND) when there is none.
    #[doc(alias = "netcl_log_read")]
    pub fn read(after: u64) -> Result<LogRecord> {
        let mut record = MaybeUninit::<sys::netcl_log_record>::uninit();
        unsafe { support::set_size(record.as_mut_ptr()) };
        check(unsafe { sys::netcl_log_read(after, record.as_mut_ptr()) })?;
        Ok(LogRecord::from_raw(unsafe { record.assume_init_ref() }))
    }
}

/// Ops of one's own with gradients, as formulas, kernels or closures.
pub mod primitive {
    #[allow(unused_imports)]
    use super::*;

    /// Registers a primitive of formulas under a name of up to 127 bytes, for all devices and
    /// threads. `options.forward` is needed. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when
    /// the name is taken ([`primitive::unregister()`] comes first), or a formula is wrong: the
    /// message names the formula, the column and what was expected there.
    #[doc(alias = "netcl_primitive_register")]
    pub fn register_with(name: &str, options: PrimitiveOptions<'_>) -> Result<()> {
        let name_c = CText::new("name", name)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        check(unsafe { sys::netcl_primitive_register(name_c.as_ptr(), &options_raw) })
    }

    /// Registers a primitive whose result and gradients kernels give. The result has the shape and
    /// dtype of inputs\[0\], and a gradient those of its input; inputs may have any shapes and
    /// dtypes that the kernels take. The arguments of a kernel are the inputs in their order, for a
    /// gradient then `grad` and `out`, then the tensor that it writes, and the attributes as
    /// numbers of the parameters' types (f32 where the driver does not tell them). Tensors lie
    /// there without gaps in C order: others are copied. `options.forward` is `None`,
    /// `options.backward` empty and `options.arity` 1 or more. The primitive keeps the kernels. Its
    /// calls are on their device, and no others are joined with them.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process.
    #[doc(alias = "netcl_primitive_register_kernels")]
    pub unsafe fn register_kernels(name: &str, kernels: PrimitiveKernels<'_>) -> Result<()> {
        let name_c = CText::new("name", name)?;
        let mut kernels_keep = Default::default();
        let kernels_raw = kernels.raw(&mut kernels_keep)?;
        check(unsafe {
            sys::netcl_primitive_register_kernels(name_c.as_ptr(), &kernels_raw, ptr::null())
        })
    }

    /// As [`register_kernels`], with options.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process.
    #[doc(alias = "netcl_primitive_register_kernels")]
    pub unsafe fn register_kernels_with(
        name: &str,
        kernels: PrimitiveKernels<'_>,
        options: PrimitiveOptions<'_>,
    ) -> Result<()> {
        let name_c = CText::new("name", name)?;
        let mut kernels_keep = Default::default();
        let kernels_raw = kernels.raw(&mut kernels_keep)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        check(unsafe {
            sys::netcl_primitive_register_kernels(name_c.as_ptr(), &kernels_raw, &options_raw)
        })
    }

    /// Registers a primitive that a function of the host works out. What the function calls is
    /// recorded where the primitive is, and may be joined with other calls. With
    /// `options.gives_gradients` the function is asked for gradients too; else they are those of
    /// the calls that it makes for the result. With `options.checkpoint` in their place, the memory
    /// of those calls is not kept: the function is called again for gradients, for which all but
    /// the inputs is constant, and has to give the same again. `options.forward` is `None` and
    /// `options.backward` empty; arity 0 takes any number of inputs. A result that shares memory
    /// with an input is copied.
    #[doc(alias = "netcl_primitive_register_function")]
    pub fn register_function<R: Into<Tensors>>(
        name: &str,
        function: impl Fn(&PrimitiveCall<'_>) -> Result<R> + Send + Sync + 'static,
    ) -> Result<()> {
        let name_c = CText::new("name", name)?;
        let function_kept: PrimitiveFn = Box::new(move |call: &PrimitiveCall<'_>| function(call).map(Into::into));
        let function_raw = Box::into_raw(Box::new(function_kept)) as *mut c_void;
        check(unsafe {
            sys::netcl_primitive_register_function(
                name_c.as_ptr(),
                Some(primitive_fn_call),
                function_raw,
                Some(primitive_fn_destroy),
                ptr::null(),
            )
        })
    }

    /// As [`register_function`], with options.
    #[doc(alias = "netcl_primitive_register_function")]
    pub fn register_function_with<R: Into<Tensors>>(
        name: &str,
        function: impl Fn(&PrimitiveCall<'_>) -> Result<R> + Send + Sync + 'static,
        options: PrimitiveOptions<'_>,
    ) -> Result<()> {
        let name_c = CText::new("name", name)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let function_kept: PrimitiveFn = Box::new(move |call: &PrimitiveCall<'_>| function(call).map(Into::into));
        let function_raw = Box::into_raw(Box::new(function_kept)) as *mut c_void;
        check(unsafe {
            sys::netcl_primitive_register_function(
                name_c.as_ptr(),
                Some(primitive_fn_call),
                function_raw,
                Some(primitive_fn_destroy),
                &options_raw,
            )
        })
    }

    /// Removes a primitive. Calls that run end as they began. [`NOT_FOUND`](Status::NOT_FOUND) when
    /// there is none.
    #[doc(alias = "netcl_primitive_unregister")]
    pub fn unregister(name: &str) -> Result<()> {
        let name_c = CText::new("name", name)?;
        check(unsafe { sys::netcl_primitive_unregister(name_c.as_ptr()) })
    }
}

/// Profiles: how long commands and regions took.
pub mod profile {
    #[allow(unused_imports)]
    use super::*;

    /// Begins to record regions, counters per kernel and (with trace_path) a trace, on all queues
    /// of the process; what it records adds up over several starts until [`profile::reset()`].
    /// [`BUSY`](Status::BUSY) when it is on, [`IO`](Status::IO) when trace_path cannot be written.
    /// While it is off a region costs one load. `NETCL_TRACE`=path begins it with the first device.
    /// The trace is valid JSON at any moment, even when the process is killed.
    #[doc(alias = "netcl_profile_start")]
    pub fn start() -> Result<()> {
        check(unsafe { sys::netcl_profile_start(ptr::null()) })
    }

    /// As [`start`], with options.
    #[doc(alias = "netcl_profile_start")]
    pub fn start_with(options: ProfileOptions<'_>) -> Result<()> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        check(unsafe { sys::netcl_profile_start(&options_raw) })
    }

    /// Ends the recording after waiting for what was enqueued. [`NOT_FOUND`](Status::NOT_FOUND)
    /// when it is off; TIMEOUT, and it goes on; [`IO`](Status::IO) when the trace could not be
    /// written to its end, and it is off.
    #[doc(alias = "netcl_profile_stop")]
    pub fn stop(timeout: impl Into<Timeout>) -> Result<()> {
        check(unsafe { sys::netcl_profile_stop(timeout.into().0) })
    }

    /// Forgets what was recorded.
    #[doc(alias = "netcl_profile_reset")]
    pub fn reset() -> Result<()> {
        check(unsafe { sys::netcl_profile_reset() })
    }

    /// Gives the tree of regions (calls, device and host time with and without children, bytes,
    /// flops) and the counters per kernel and size, of the commands that are complete. Commands
    /// outside all regions, and the numbers of those that are missing (not complete, failed,
    /// without room or times), are there in each format; in CSV as rows of the kinds "outside" and
    /// "missing".
    #[doc(alias = "netcl_profile_report")]
    pub fn report(format: Format) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_profile_report(format.0, place as *mut _, room, length)
        })?;
        Ok(text)
    }
}

/// The cache of compiled programs.
pub mod program_cache {
    #[allow(unused_imports)]
    use super::*;

    /// Gives the counters of the program cache.
    #[doc(alias = "netcl_program_cache_get_info")]
    pub fn info() -> Result<ProgramCacheInfo> {
        let mut info = MaybeUninit::<sys::netcl_program_cache_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_program_cache_get_info(info.as_mut_ptr()) })?;
        Ok(ProgramCacheInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Drops all programs from memory, and from the disk too when `disk` is true. Built kernels
    /// keep theirs.
    #[doc(alias = "netcl_program_cache_clear")]
    pub fn clear(disk: bool) -> Result<()> {
        check(unsafe { sys::netcl_program_cache_clear(disk as u32) })
    }

    /// Reads and checks an entry of the disk cache, in the order of their names; one that is not
    /// sound is never given to a driver, and is replaced when its program is built again.
    /// [`NOT_FOUND`](Status::NOT_FOUND) past the end and while there is no disk cache. Entries may
    /// come and go between two calls.
    #[doc(alias = "netcl_program_cache_get_entry")]
    pub fn entry(index: u32) -> Result<ProgramCacheEntry> {
        let mut entry = MaybeUninit::<sys::netcl_program_cache_entry>::uninit();
        unsafe { support::set_size(entry.as_mut_ptr()) };
        check(unsafe { sys::netcl_program_cache_get_entry(index, entry.as_mut_ptr()) })?;
        Ok(ProgramCacheEntry::from_raw(unsafe { entry.assume_init_ref() }))
    }
}

/// Statistics of samples, and whether two sets of them differ.
pub mod statistics {
    #[allow(unused_imports)]
    use super::*;

    /// Computes statistics of samples measured elsewhere; negative and NaN samples are
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    #[doc(alias = "netcl_statistics_compute")]
    pub fn compute(samples: &[f64], confidence: f64) -> Result<Statistics> {
        let mut statistics = MaybeUninit::<sys::netcl_statistics>::uninit();
        unsafe { support::set_size(statistics.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_statistics_compute(
                support::slice_ptr(samples) as *const _,
                support::count("samples", samples.len())?,
                confidence,
                statistics.as_mut_ptr(),
            )
        })?;
        Ok(Statistics::from_raw(unsafe { statistics.assume_init_ref() }))
    }

    /// Compares two sets of samples measured elsewhere, as [`Measurement::compare()`] does. Fewer
    /// than 5 samples on a side are UNCLEAR.
    #[doc(alias = "netcl_statistics_compare")]
    pub fn compare(
        first: &[f64],
        second: &[f64],
        confidence: f64,
        precision: f64,
        seed: u64,
    ) -> Result<Comparison> {
        let mut comparison = MaybeUninit::<sys::netcl_comparison>::uninit();
        unsafe { support::set_size(comparison.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_statistics_compare(
                support::slice_ptr(first) as *const _,
                support::count("first", first.len())?,
                support::slice_ptr(second) as *const _,
                support::count("second", second.len())?,
                confidence,
                precision,
                seed,
                comparison.as_mut_ptr(),
            )
        })?;
        Ok(Comparison::from_raw(unsafe { comparison.assume_init_ref() }))
    }
}

/// Which kernel of an op is taken for given sizes, and why.
pub mod variant {
    #[allow(unused_imports)]
    use super::*;

    /// Tells which kernel a product of m x k by k x n gets on a device. Answers are kept per
    /// device, sizes and options. `options.dtype` is that of a and b: f16, bf16, f32, f64, i8 or
    /// u8. Negative sizes, and a matrix of more than 2^60 elements, are
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    #[doc(alias = "netcl_variant_select_matmul")]
    pub fn select_matmul(device: &Device, m: i64, n: i64, k: i64) -> Result<VariantConfig> {
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_matmul(
                device.as_raw(),
                m,
                n,
                k,
                ptr::null(),
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// As [`select_matmul`], with options.
    #[doc(alias = "netcl_variant_select_matmul")]
    pub fn select_matmul_with(
        device: &Device,
        m: i64,
        n: i64,
        k: i64,
        options: VariantOptions<'_>,
    ) -> Result<VariantConfig> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_matmul(
                device.as_raw(),
                m,
                n,
                k,
                &options_raw,
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// Tells which kernel a convolution gets: see [`op::conv2d()`]. `NETCL_CONV_WINOGRAD`=0 keeps
    /// Winograd from being chosen, `NETCL_CONV_TILED_LOCAL`=1 lets tiled_local be chosen on small
    /// outputs.
    #[doc(alias = "netcl_variant_select_conv2d")]
    pub fn select_conv2d(device: &Device, shape: Conv2dShape) -> Result<VariantConfig> {
        let mut shape_keep = Default::default();
        let shape_raw = shape.raw(&mut shape_keep)?;
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_conv2d(
                device.as_raw(),
                &shape_raw,
                ptr::null(),
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// As [`select_conv2d`], with options.
    #[doc(alias = "netcl_variant_select_conv2d")]
    pub fn select_conv2d_with(
        device: &Device,
        shape: Conv2dShape,
        options: VariantOptions<'_>,
    ) -> Result<VariantConfig> {
        let mut shape_keep = Default::default();
        let shape_raw = shape.raw(&mut shape_keep)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_conv2d(
                device.as_raw(),
                &shape_raw,
                &options_raw,
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// Tells which kernel an elementwise op over `count` elements gets.
    #[doc(alias = "netcl_variant_select_elementwise")]
    pub fn select_elementwise(device: &Device, count: i64) -> Result<VariantConfig> {
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_elementwise(
                device.as_raw(),
                count,
                ptr::null(),
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// As [`select_elementwise`], with options.
    #[doc(alias = "netcl_variant_select_elementwise")]
    pub fn select_elementwise_with(
        device: &Device,
        count: i64,
        options: VariantOptions<'_>,
    ) -> Result<VariantConfig> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_elementwise(
                device.as_raw(),
                count,
                &options_raw,
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// Tells which kernel a reduction gets that makes `outputs` results from `count` elements each,
    /// when the elements of a result lie next to each other. On GPUs results that lie side by side
    /// instead, as sums of columns do, may get REDUCTION_WORKGROUP for fewer elements
    /// (docs/variants.md).
    #[doc(alias = "netcl_variant_select_reduction")]
    pub fn select_reduction(device: &Device, outputs: i64, count: i64) -> Result<VariantConfig> {
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_reduction(
                device.as_raw(),
                outputs,
                count,
                ptr::null(),
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// As [`select_reduction`], with options.
    #[doc(alias = "netcl_variant_select_reduction")]
    pub fn select_reduction_with(
        device: &Device,
        outputs: i64,
        count: i64,
        options: VariantOptions<'_>,
    ) -> Result<VariantConfig> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_reduction(
                device.as_raw(),
                outputs,
                count,
                &options_raw,
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// Tells which kernel a batch normalisation gets: `fused` when an activation goes with it, so
    /// that `activation` is true, and it is not training, else `naive`.
    #[doc(alias = "netcl_variant_select_batchnorm")]
    pub fn select_batchnorm(
        device: &Device,
        batch: i64,
        channels: i64,
        spatial: i64,
        training: bool,
        activation: bool,
    ) -> Result<VariantConfig> {
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_batchnorm(
                device.as_raw(),
                batch,
                channels,
                spatial,
                training as u32,
                activation as u32,
                ptr::null(),
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// As [`select_batchnorm`], with options.
    #[doc(alias = "netcl_variant_select_batchnorm")]
    pub fn select_batchnorm_with(
        device: &Device,
        batch: i64,
        channels: i64,
        spatial: i64,
        training: bool,
        activation: bool,
        options: VariantOptions<'_>,
    ) -> Result<VariantConfig> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut config = MaybeUninit::<sys::netcl_variant_config>::uninit();
        unsafe { support::set_size(config.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_variant_select_batchnorm(
                device.as_raw(),
                batch,
                channels,
                spatial,
                training as u32,
                activation as u32,
                &options_raw,
                config.as_mut_ptr(),
            )
        })?;
        Ok(VariantConfig::from_raw(unsafe { config.assume_init_ref() }))
    }

    /// Forgets the answers that are kept, for all devices.
    #[doc(alias = "netcl_variant_clear_cache")]
    pub fn clear_cache() -> Result<()> {
        check(unsafe { sys::netcl_variant_clear_cache() })
    }
}

/// The version of the library that is linked.
pub mod version {
    #[allow(unused_imports)]
    use super::*;

    /// Returns [`VERSION_NUMBER`] of the library.
    #[doc(alias = "netcl_version_number")]
    pub fn number() -> u32 {
        unsafe { sys::netcl_version_number() }
    }

    /// Returns the version as text, "major.minor.patch".
    #[doc(alias = "netcl_version_string")]
    pub fn string() -> String {
        unsafe { support::borrowed_text(sys::netcl_version_string()) }.into_owned()
    }
}
