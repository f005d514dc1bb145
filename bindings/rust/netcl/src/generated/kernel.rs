// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(unused_imports, unused_unsafe, clippy::too_many_arguments)]

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{check, Error, Result, Scalar, Shape, Timeout};
use std::mem::MaybeUninit;
use std::os::raw::c_void;
use std::path::Path;
use std::ptr;
use std::fmt;
use std::ptr::NonNull;

/// A kernel specification and what it was built to. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_kernel")]
#[repr(transparent)]
pub struct Kernel {
    raw: NonNull<sys::netcl_kernel>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Kernel {}
unsafe impl Sync for Kernel {}

impl Kernel {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_kernel) -> Kernel {
        Kernel { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_kernel {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_kernel_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_kernel {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_kernel) -> Option<Kernel> {
        NonNull::new(raw).map(|raw| Kernel { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_kernel) -> Result<Kernel> {
        Kernel::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Kernel> {
        check(unsafe { sys::netcl_kernel_retain(self.as_raw()) })?;
        Ok(Kernel { raw: self.raw })
    }
}

impl Clone for Kernel {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Kernel {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        unsafe { sys::netcl_kernel_release(self.as_raw()) }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Kernel {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Kernel) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Kernel {}

impl Kernel {
    /// Makes a kernel from a specification; compiles nothing. `name` is the kernel function's name
    /// and an identifier. A `#pragma` for fp16 is added when the text uses half. User text keeps
    /// its own line numbers in build logs. What the program holds besides kernels (constructors,
    /// assembly) may run in this process when a driver builds it.
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) on the built-in device, whose kernels are expressions
    /// and ops.
    ///
    /// # Safety
    /// Nothing in the program but its kernels runs, neither when a driver builds it nor when it is
    /// loaded: no constructors and no assembly outside of functions. CPU devices load it into this
    /// process.
    #[doc(alias = "netcl_kernel_create")]
    pub unsafe fn with_options(
        device: &Device,
        name: &str,
        options: KernelOptions<'_>,
    ) -> Result<Kernel> {
        let name_c = CText::new("name", name)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut kernel_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_kernel_create(
                device.as_raw(),
                name_c.as_ptr(),
                &options_raw,
                &mut kernel_out,
            )
        })?;
        Ok(unsafe { Kernel::take(kernel_out)? })
    }

    /// As [`Self::with_options`], with `il` as the program: SPIR-V; drivers may crash on what is
    /// not.
    ///
    /// # Safety
    /// Nothing in the program but its kernels runs, neither when a driver builds it nor when it is
    /// loaded: no constructors and no assembly outside of functions. CPU devices load it into this
    /// process.
    ///
    /// `il` is valid SPIR-V: drivers crash on other bytes.
    #[doc(alias = "netcl_kernel_create")]
    pub unsafe fn from_il(
        device: &Device,
        name: &str,
        il: &[u8],
        options: KernelOptions<'_>,
    ) -> Result<Kernel> {
        let name_c = CText::new("name", name)?;
        let mut options_keep = Default::default();
        let mut options_raw = options.raw(&mut options_keep)?;
        options_raw.il = support::data_ptr(il);
        options_raw.il_size = il.len();
        let mut kernel_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_kernel_create(
                device.as_raw(),
                name_c.as_ptr(),
                &options_raw,
                &mut kernel_out,
            )
        })?;
        Ok(unsafe { Kernel::take(kernel_out)? })
    }

    /// As [`Self::with_options`], with `binary` as the program: what [`Kernel::binary()`] gave,
    /// unchanged.
    ///
    /// # Safety
    /// Nothing in the program but its kernels runs, neither when a driver builds it nor when it is
    /// loaded: no constructors and no assembly outside of functions. CPU devices load it into this
    /// process.
    ///
    /// `binary` is what [`Kernel::binary`] gave on this device with this driver, unchanged; with
    /// `trust_binary`, what its driver gave. Drivers crash on other bytes.
    #[doc(alias = "netcl_kernel_create")]
    pub unsafe fn from_binary(
        device: &Device,
        name: &str,
        binary: &[u8],
        trust_binary: bool,
        options: KernelOptions<'_>,
    ) -> Result<Kernel> {
        let name_c = CText::new("name", name)?;
        let mut options_keep = Default::default();
        let mut options_raw = options.raw(&mut options_keep)?;
        options_raw.binary = support::data_ptr(binary);
        options_raw.binary_size = binary.len();
        options_raw.trust_binary = trust_binary as u32;
        let mut kernel_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_kernel_create(
                device.as_raw(),
                name_c.as_ptr(),
                &options_raw,
                &mut kernel_out,
            )
        })?;
        Ok(unsafe { Kernel::take(kernel_out)? })
    }

    /// Makes the specification of an elementwise kernel `name`(v0, ..., out, n) over contiguous
    /// arrays of one dtype from an expression in v0 ... v(arity-1). f16 adds the fp16 pragma, never
    /// fast-math. [`UNSUPPORTED`](Status::UNSUPPORTED) on the built-in device, which runs the
    /// expression itself ([`op::expression_text()`]).
    #[doc(alias = "netcl_kernel_create_elementwise")]
    pub fn elementwise(
        device: &Device,
        name: &str,
        arity: u32,
        expression: &str,
        dtype: Dtype,
    ) -> Result<Kernel> {
        let name_c = CText::new("name", name)?;
        let expression_c = CText::new("expression", expression)?;
        let mut kernel_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_kernel_create_elementwise(
                device.as_raw(),
                name_c.as_ptr(),
                arity,
                expression_c.as_ptr(),
                dtype.0,
                &mut kernel_out,
            )
        })?;
        Ok(unsafe { Kernel::take(kernel_out)? })
    }

    /// Builds a kernel, from the program cache where it is there. Any number of threads may call
    /// it; one compiles. [`BUILD_FAILURE`](Status::BUILD_FAILURE) with the first line of the log,
    /// [`NOT_FOUND`](Status::NOT_FOUND) when the program has no kernel of that name (the message
    /// lists those it has).
    #[doc(alias = "netcl_kernel_build")]
    pub fn build(&self) -> Result<()> {
        check(unsafe { sys::netcl_kernel_build(self.as_raw()) })
    }

    /// Gives the facts of a kernel; builds it when needed.
    #[doc(alias = "netcl_kernel_get_info")]
    pub fn info(&self) -> Result<KernelInfo> {
        let mut info = MaybeUninit::<sys::netcl_kernel_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_kernel_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(KernelInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the facts of one parameter; builds when needed.
    #[doc(alias = "netcl_kernel_get_arg_info")]
    pub fn arg_info(&self, index: u32) -> Result<KernelArgInfo> {
        let mut info = MaybeUninit::<sys::netcl_kernel_arg_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_kernel_get_arg_info(self.as_raw(), index, info.as_mut_ptr()) })?;
        Ok(KernelArgInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the text that the compiler gets. [`NOT_FOUND`](Status::NOT_FOUND) for il and binary.
    #[doc(alias = "netcl_kernel_get_source")]
    pub fn source(&self) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_kernel_get_source(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Gives the log of the last build, "" before it.
    #[doc(alias = "netcl_kernel_get_build_log")]
    pub fn build_log(&self) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_kernel_get_build_log(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Gives the built program with netcl's checksum and key, to be used as
    /// [`KernelOptions.binary`](KernelOptions) on the same device and driver.
    #[doc(alias = "netcl_kernel_get_binary")]
    pub fn binary(&self) -> Result<Vec<u8>> {
        let text = support::read_bytes(|place, room, length| unsafe {
            sys::netcl_kernel_get_binary(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Hashes the shapes and dtypes of inputs and outputs to a signature, the same in every
    /// process.
    #[doc(alias = "netcl_kernel_shape_signature")]
    pub fn shape_signature(inputs: &[&AnyTensor], outputs: &[&AnyTensor]) -> Result<u64> {
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut outputs_raw = Pointers::default();
        outputs_raw.fill(outputs.iter().map(|h| h.as_raw()));
        let mut signature = Default::default();
        check(unsafe {
            sys::netcl_kernel_shape_signature(
                inputs_raw.as_ptr() as *const *const _,
                support::count("inputs", inputs.len())?,
                outputs_raw.as_ptr() as *const *const _,
                support::count("outputs", outputs.len())?,
                &mut signature,
            )
        })?;
        Ok(signature)
    }

    /// Registers a kernel with its device under its name and shape signature, replacing an earlier
    /// one. The registration holds a reference until it is replaced or removed.
    #[doc(alias = "netcl_kernel_register")]
    pub fn register(&self) -> Result<()> {
        check(unsafe { sys::netcl_kernel_register(self.as_raw()) })
    }

    /// Removes a registration. [`NOT_FOUND`](Status::NOT_FOUND) when there is none.
    #[doc(alias = "netcl_kernel_unregister")]
    pub fn unregister(device: &Device, name: &str, shape_signature: u64) -> Result<()> {
        let name_c = CText::new("name", name)?;
        check(unsafe {
            sys::netcl_kernel_unregister(device.as_raw(), name_c.as_ptr(), shape_signature)
        })
    }

    /// Finds a registered kernel: the one with this signature, else the one with signature 0.
    /// [`NOT_FOUND`](Status::NOT_FOUND) naming what is registered.
    #[doc(alias = "netcl_kernel_find")]
    pub fn find(device: &Device, name: &str, shape_signature: u64) -> Result<Kernel> {
        let name_c = CText::new("name", name)?;
        let mut kernel_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_kernel_find(
                device.as_raw(),
                name_c.as_ptr(),
                shape_signature,
                &mut kernel_out,
            )
        })?;
        Ok(unsafe { Kernel::take(kernel_out)? })
    }

    /// Launches a kernel over `global` work items; builds it when needed. The local size `()` means
    /// the tuned one (see `NETCL_TUNE`), else the specification's, else netcl's choice reduced to
    /// divisors of the global size. With a tuned size go the tuned macros, and the global size
    /// where the space had a formula for it, when they were tuned for this very size and these
    /// integer arguments (see [`KernelOptions`]). With a global offset nothing tuned is used.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when a given local size does not divide the
    /// global size (unless `options.round_up`), when counts differ, the specification's local size
    /// has more dimensions than `global`, a size is 0, or the arguments do not fit the parameters.
    /// `run.into` must be `None`. A tensor argument passes its memory from its lowest element on,
    /// which is the first one unless a stride is negative;
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when the device cannot address that offset
    /// (see mem_base_align_bytes).
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_launch")]
    pub unsafe fn launch(
        &self,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
        args: &[Arg<'_>],
    ) -> Result<()> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let run_raw = crate::recording::run();
        check(unsafe {
            sys::netcl_kernel_launch(
                self.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                ptr::null(),
                &run_raw,
            )
        })
    }

    /// As [`Self::launch`], with options.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_launch")]
    pub unsafe fn launch_with(
        &self,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
        args: &[Arg<'_>],
        options: LaunchOptions,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.recorded(&mut run_keep)?;
        check(unsafe {
            sys::netcl_kernel_launch(
                self.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                &options_raw,
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Tells what [`Kernel::launch()`] would use for the same arguments, without launching: work
    /// sizes, tuned macros, and which stored result they come from or why there is none. It builds
    /// the kernel when needed, and fails as the launch does for sizes that cannot be.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_explain_launch")]
    pub unsafe fn explain_launch(
        &self,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
        args: &[Arg<'_>],
    ) -> Result<LaunchExplanation> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let mut explanation = MaybeUninit::<sys::netcl_launch_explanation>::uninit();
        unsafe { support::set_size(explanation.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_kernel_explain_launch(
                self.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                ptr::null(),
                explanation.as_mut_ptr(),
            )
        })?;
        Ok(LaunchExplanation::from_raw(unsafe { explanation.assume_init_ref() }))
    }

    /// As [`Self::explain_launch`], with options.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_explain_launch")]
    pub unsafe fn explain_launch_with(
        &self,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
        args: &[Arg<'_>],
        options: LaunchOptions,
    ) -> Result<LaunchExplanation> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut explanation = MaybeUninit::<sys::netcl_launch_explanation>::uninit();
        unsafe { support::set_size(explanation.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_kernel_explain_launch(
                self.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                &options_raw,
                explanation.as_mut_ptr(),
            )
        })?;
        Ok(LaunchExplanation::from_raw(unsafe { explanation.assume_init_ref() }))
    }

    /// Finds a registered kernel and launches it: [`Kernel::find()`], then [`Kernel::launch()`].
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_launch_by_name")]
    pub unsafe fn launch_by_name(
        device: &Device,
        name: &str,
        shape_signature: u64,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
        args: &[Arg<'_>],
    ) -> Result<()> {
        let name_c = CText::new("name", name)?;
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let run_raw = crate::recording::run();
        check(unsafe {
            sys::netcl_kernel_launch_by_name(
                device.as_raw(),
                name_c.as_ptr(),
                shape_signature,
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                ptr::null(),
                &run_raw,
            )
        })
    }

    /// As [`Self::launch_by_name`], with options.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_launch_by_name")]
    pub unsafe fn launch_by_name_with(
        device: &Device,
        name: &str,
        shape_signature: u64,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
        args: &[Arg<'_>],
        options: LaunchOptions,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let name_c = CText::new("name", name)?;
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.recorded(&mut run_keep)?;
        check(unsafe {
            sys::netcl_kernel_launch_by_name(
                device.as_raw(),
                name_c.as_ptr(),
                shape_signature,
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                &options_raw,
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Makes the source of a product specialised for m, n and k as a kernel specification:
    /// `name`(__global const T \*a, __global const T \*b, __global T \*c) over packed row-major
    /// matrices, to be launched with [`Kernel::launch()`], edited, or read with
    /// [`Kernel::source()`]. `config` chooses variant and tiles, `None` leaves it to
    /// [`variant::select_matmul()`]; its split_k is not used, since this is one launch. A matrix of
    /// more than 2^60 elements is [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) on the built-in device, and for tiles that the device
    /// cannot hold.
    ///
    /// * Gives `global`: the global size to launch with, 2 entries; its local size is in the kernel
    /// * Gives `kernel`: one reference
    #[doc(alias = "netcl_kernel_create_matmul")]
    pub fn matmul(
        device: &Device,
        name: &str,
        m: i64,
        n: i64,
        k: i64,
        dtype: Dtype,
        config: &VariantConfig,
    ) -> Result<(Shape, Kernel)> {
        let name_c = CText::new("name", name)?;
        let config_raw = config.raw();
        let mut global = [u64::default(); 2];
        let mut kernel_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_kernel_create_matmul(
                device.as_raw(),
                name_c.as_ptr(),
                m,
                n,
                k,
                dtype.0,
                &config_raw,
                global.as_mut_ptr() as *mut _,
                &mut kernel_out,
            )
        })?;
        Ok((global.map(|n| n as usize).into(), unsafe { Kernel::take(kernel_out)? }))
    }

    /// Measures a launch: [`Kernel::launch()`] in such a loop. `run.event` must be `None`. For the
    /// samples set `options.measurement`, as for [`Queue::time()`].
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_time")]
    pub unsafe fn time(
        &self,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
        args: &[Arg<'_>],
    ) -> Result<Statistics> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let mut statistics = MaybeUninit::<sys::netcl_statistics>::uninit();
        unsafe { support::set_size(statistics.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_kernel_time(
                self.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                ptr::null(),
                ptr::null(),
                ptr::null(),
                statistics.as_mut_ptr(),
            )
        })?;
        Ok(Statistics::from_raw(unsafe { statistics.assume_init_ref() }))
    }

    /// As [`Self::time`], with options.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_time")]
    pub unsafe fn time_with(
        &self,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
        args: &[Arg<'_>],
        launch: LaunchOptions,
        run: RunOptions<'_>,
        options: MeasurementOptions<'_>,
    ) -> Result<Statistics> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let mut launch_keep = Default::default();
        let launch_raw = launch.raw(&mut launch_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut statistics = MaybeUninit::<sys::netcl_statistics>::uninit();
        unsafe { support::set_size(statistics.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_kernel_time(
                self.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                &launch_raw,
                &run_raw,
                &options_raw,
                statistics.as_mut_ptr(),
            )
        })?;
        run.finish(run_keep);
        options.finish(options_keep);
        Ok(Statistics::from_raw(unsafe { statistics.assume_init_ref() }))
    }

    /// Tunes one kernel: a tuner with one entry, which measures as [`Tuner::run()`] does: what the
    /// database has is taken, what an earlier run began is gone on with, and `options.force` = true
    /// begins anew. Fails with what the entry failed with.
    ///
    /// * Gives `config`: one reference: the winner
    /// * Gives `search`: one reference: all candidates, `None` when nothing was measured because
    ///   the winner was stored
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_autotune")]
    pub unsafe fn autotune(
        &self,
        global: impl Into<Shape>,
        args: &[Arg<'_>],
        tuning: KernelTuning<'_>,
    ) -> Result<(Config, Option<Search>)> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let mut tuning_keep = Default::default();
        let tuning_raw = tuning.raw(&mut tuning_keep)?;
        let mut config_out = ptr::null_mut();
        let mut search_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_kernel_autotune(
                self.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                &tuning_raw,
                ptr::null(),
                &mut config_out,
                &mut search_out,
            )
        })?;
        Ok((unsafe { Config::take(config_out)? }, unsafe { Search::from_nullable(search_out) }))
    }

    /// As [`Self::autotune`], with options.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_kernel_autotune")]
    pub unsafe fn autotune_with(
        &self,
        global: impl Into<Shape>,
        args: &[Arg<'_>],
        tuning: KernelTuning<'_>,
        options: TunerOptions<'_>,
    ) -> Result<(Config, Option<Search>)> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let mut tuning_keep = Default::default();
        let tuning_raw = tuning.raw(&mut tuning_keep)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut config_out = ptr::null_mut();
        let mut search_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_kernel_autotune(
                self.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                &tuning_raw,
                &options_raw,
                &mut config_out,
                &mut search_out,
            )
        })?;
        Ok((unsafe { Config::take(config_out)? }, unsafe { Search::from_nullable(search_out) }))
    }
}
