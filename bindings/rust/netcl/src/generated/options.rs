// Written by bindings/generator from include/netcl.h; changes here are lost.

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{Result, Scalar};
use std::ptr;

/// Options: `netcl_device_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceOptions {
    /// 1: a context of its own instead of the one shared by all openings;
    /// `netcl_device_open_from_cl`: 0
    pub separate: bool,
}

#[derive(Default)]
pub(crate) struct DeviceOptionsKeep;

impl DeviceOptions {
    pub(crate) fn raw(&self, _keep: &mut DeviceOptionsKeep) -> Result<sys::netcl_device_options> {
        Ok(sys::netcl_device_options {
            separate: self.separate as u32,
            ..sys::netcl_device_options::INIT
        })
    }
}

/// ---- Queues ----------------------------------------------------------------------------------
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueOptions {
    /// 1: commands may overtake each other where their memory allows it
    pub out_of_order: bool,
    /// 1: as `netcl_queue_set_profiling`(queue, 1)
    pub profiling: bool,
}

#[derive(Default)]
pub(crate) struct QueueOptionsKeep;

impl QueueOptions {
    pub(crate) fn raw(&self, _keep: &mut QueueOptionsKeep) -> Result<sys::netcl_queue_options> {
        Ok(sys::netcl_queue_options {
            out_of_order: self.out_of_order as u32,
            profiling: self.profiling as u32,
            ..sys::netcl_queue_options::INIT
        })
    }
}

/// Options: `netcl_pool_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct PoolOptions {
    /// 0: PERSISTENT
    pub kind: PoolKind,
    /// cached buffers per bucket; 0: 16 (persistent), no limit
    pub max_buffers_per_bucket: u32,
    /// 0: `NETCL_MAX_CACHED_GB` (persistent, pinned), no limit
    pub max_cached_bytes: u64,
    /// cap of cached plus leased bytes; 0: no limit
    pub max_bytes: u64,
    /// 1: memory for `netcl_buffer_export`; see "Sharing"
    pub share: bool,
}

#[derive(Default)]
pub(crate) struct PoolOptionsKeep;

impl PoolOptions {
    pub(crate) fn raw(&self, _keep: &mut PoolOptionsKeep) -> Result<sys::netcl_pool_options> {
        Ok(sys::netcl_pool_options {
            kind: self.kind.0,
            max_buffers_per_bucket: self.max_buffers_per_bucket,
            max_cached_bytes: self.max_cached_bytes,
            max_bytes: self.max_bytes,
            share: self.share as u32,
            ..sys::netcl_pool_options::INIT
        })
    }
}

/// How a launch or an op runs. Used by every op.
#[derive(Debug, Default)]
pub struct RunOptions<'a> {
    /// NULL: the default queue of the first input's device
    pub queue: Option<&'a Queue>,
    /// write the result here instead of a new tensor
    pub into: Option<&'a AnyTensor>,
    /// further events to wait for; one that failed: LAUNCH_FAILURE
    pub waits: &'a [&'a Event],
    /// receives one reference: the event of the last command
    pub event: Option<&'a mut Option<Event>>,
    /// records the call; see "Graphs"
    pub graph: Option<&'a Graph>,
}

#[derive(Default)]
pub(crate) struct RunOptionsKeep {
    waits: Pointers<sys::netcl_event>,
    event: support::Out<sys::netcl_event>,
}

impl<'a> RunOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut RunOptionsKeep) -> Result<sys::netcl_run_options> {
        keep.waits.fill(self.waits.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_run_options {
            queue: self.queue.map_or(ptr::null_mut(), |h| h.as_raw()),
            into: self.into.map_or(ptr::null_mut(), |h| h.as_raw()),
            waits: keep.waits.as_ptr(),
            waits_count: support::count("waits", self.waits.len())?,
            event: if self.event.is_some() { &mut keep.event.0 } else { ptr::null_mut() },
            graph: self.graph.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_run_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: RunOptionsKeep) {
        if let Some(place) = self.event {
            *place = unsafe { Event::from_nullable(keep.event.0) };
        }
    }
}

/// Where and how a tensor is made.
#[derive(Debug, Default)]
pub struct TensorOptions<'a> {
    /// NULL: the device's default queue
    pub queue: Option<&'a Queue>,
    /// NULL: the device's persistent pool, and for from_cl
    pub pool: Option<&'a Pool>,
    /// receives one reference: the device has the data
    pub event: Option<&'a mut Option<Event>>,
    /// return before the device has what is copied from the host; DEFAULT: `NETCL_ASYNC_H2D`, and
    /// where nothing is copied
    pub async_copy: Toggle,
    /// stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and where nothing is
    /// copied
    pub use_pinned: Toggle,
    /// 1: from_host works on the caller's memory itself
    pub borrow: bool,
    /// 1: from_cl releases the memory object with the tensor
    pub take_ownership: bool,
    /// 1: in memory for `netcl_buffer_export`, see "Sharing"; a pool that is given has to have been
    /// made so
    pub share: bool,
}

#[derive(Default)]
pub(crate) struct TensorOptionsKeep {
    event: support::Out<sys::netcl_event>,
}

impl<'a> TensorOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut TensorOptionsKeep) -> Result<sys::netcl_tensor_options> {
        Ok(sys::netcl_tensor_options {
            queue: self.queue.map_or(ptr::null_mut(), |h| h.as_raw()),
            pool: self.pool.map_or(ptr::null_mut(), |h| h.as_raw()),
            event: if self.event.is_some() { &mut keep.event.0 } else { ptr::null_mut() },
            async_copy: self.async_copy.0,
            use_pinned: self.use_pinned.0,
            borrow: self.borrow as u32,
            take_ownership: self.take_ownership as u32,
            share: self.share as u32,
            ..sys::netcl_tensor_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: TensorOptionsKeep) {
        if let Some(place) = self.event {
            *place = unsafe { Event::from_nullable(keep.event.0) };
        }
    }
}

/// How `netcl_tensor_read` and `netcl_tensor_write` move data.
#[derive(Debug, Default)]
pub struct TransferOptions<'a> {
    /// NULL: the device's default queue
    pub queue: Option<&'a Queue>,
    /// further events to wait for
    pub waits: &'a [&'a Event],
    /// receives one reference; makes a read return at once
    pub event: Option<&'a mut Option<Event>>,
    /// write: return before the device has it; `NETCL_ASYNC_H2D`. read: DEFAULT
    pub async_copy: Toggle,
    /// stage through page-locked memory; `NETCL_PINNED_H2D`. A read with an event stages nothing,
    /// and takes no ON
    pub use_pinned: Toggle,
    /// 1: write copies nothing; the array must stay until the event. read: 0
    pub borrow: bool,
}

#[derive(Default)]
pub(crate) struct TransferOptionsKeep {
    waits: Pointers<sys::netcl_event>,
    event: support::Out<sys::netcl_event>,
}

impl<'a> TransferOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut TransferOptionsKeep,
    ) -> Result<sys::netcl_transfer_options> {
        keep.waits.fill(self.waits.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_transfer_options {
            queue: self.queue.map_or(ptr::null_mut(), |h| h.as_raw()),
            waits: keep.waits.as_ptr(),
            waits_count: support::count("waits", self.waits.len())?,
            event: if self.event.is_some() { &mut keep.event.0 } else { ptr::null_mut() },
            async_copy: self.async_copy.0,
            use_pinned: self.use_pinned.0,
            borrow: self.borrow as u32,
            ..sys::netcl_transfer_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: TransferOptionsKeep) {
        if let Some(place) = self.event {
            *place = unsafe { Event::from_nullable(keep.event.0) };
        }
    }
}

/// Parameters of random numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomOptions {
    /// `seed`.
    pub seed: u64,
    /// index of the first element in the seed's stream
    pub offset: u64,
    /// 0: UNIFORM
    pub distribution: Distribution,
    /// uniform: lowest value; low = high = 0: \[0, 1), integers: all; normal: 0
    pub low: f64,
    /// uniform: end of the range; normal: 0
    pub high: f64,
    /// normal; uniform: 0
    pub mean: f64,
    /// normal: standard deviation; 0 means 1; uniform: 0
    pub deviation: f64,
}

#[derive(Default)]
pub(crate) struct RandomOptionsKeep;

impl RandomOptions {
    pub(crate) fn raw(&self, _keep: &mut RandomOptionsKeep) -> Result<sys::netcl_random_options> {
        Ok(sys::netcl_random_options {
            seed: self.seed,
            offset: self.offset,
            distribution: self.distribution.0,
            low: self.low,
            high: self.high,
            mean: self.mean,
            deviation: self.deviation,
            ..sys::netcl_random_options::INIT
        })
    }
}

/// A kernel specification. Exactly one source form is set: source; params with body; il; binary. A
/// result of tuning belongs to the values of the integer arguments too, as a size or a mode among
/// them makes another problem: only free_args are left out. What is given beside numbers, such as a
/// struct and the bytes of local memory, belongs to it as well; floats do not.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelOptions<'a> {
    /// full OpenCL C source, may hold several kernels
    pub source: Option<&'a str>,
    /// parameter declarations: "__global const float\* a"
    pub params: &'a [&'a str],
    /// text before the kernel, with params; may be NULL
    pub preamble: Option<&'a str>,
    /// statements of the kernel, with params
    pub body: Option<&'a str>,
    /// further flags: one token each, '-' first
    pub flags: &'a [&'a str],
    /// see `netcl_kernel_shape_signature`; 0: any shape
    pub shape_signature: u64,
    /// of launches that give none, all zeros: not set; a 0 before another extent is
    /// INVALID_ARGUMENT
    pub local_size: [u64; 3],
    /// 1: -cl-fast-relaxed-math, which may break NaN and infinity
    pub fast_math: bool,
    /// 1: leave out the macros LOAD STORE ADD SUB MUL DIV RELU
    pub no_preamble: bool,
    /// `tune`.
    pub tune: TuneMode,
    /// indices of arguments that are no part of the problem, such as a seed or the number of a
    /// step: what tuning found for one of their values is used for all
    pub free_args: &'a [u32],
}

#[derive(Default)]
pub(crate) struct KernelOptionsKeep {
    source: Option<CText>,
    params: Texts,
    preamble: Option<CText>,
    body: Option<CText>,
    flags: Texts,
}

impl<'a> KernelOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut KernelOptionsKeep) -> Result<sys::netcl_kernel_options> {
        keep.source = self.source.map(|t| CText::new("source", t)).transpose()?;
        keep.params.fill("params", self.params)?;
        keep.preamble = self.preamble.map(|t| CText::new("preamble", t)).transpose()?;
        keep.body = self.body.map(|t| CText::new("body", t)).transpose()?;
        keep.flags.fill("flags", self.flags)?;
        Ok(sys::netcl_kernel_options {
            source: keep.source.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            source_size: self.source.map_or(0, |t| t.len()),
            params: keep.params.as_ptr(),
            params_count: support::count("params", self.params.len())?,
            preamble: keep.preamble.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            body: keep.body.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            flags: keep.flags.as_ptr(),
            flags_count: support::count("flags", self.flags.len())?,
            shape_signature: self.shape_signature,
            local_size: self.local_size,
            fast_math: self.fast_math as u32,
            no_preamble: self.no_preamble as u32,
            tune: self.tune.0,
            free_args: support::slice_ptr(self.free_args) as *const _,
            free_args_count: support::count("free_args", self.free_args.len())?,
            ..sys::netcl_kernel_options::INIT
        })
    }
}

/// What an op or a kernel has to do at least. The ops of the library declare theirs; launches say
/// it in their options. Amounts that are negative or no number, and more written than moved, are
/// INVALID_ARGUMENT.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// a multiplication and an addition are two
    pub operations: f64,
    /// read and written, each counted once
    pub bytes: f64,
    /// the part of bytes that is written
    pub bytes_written: f64,
    /// in which the operations are done; 0: f32
    pub dtype: Dtype,
    /// 1: on matrix units (tensor cores)
    pub matrix_units: bool,
    /// 1: none of it was in a cache before
    pub cold_cache: bool,
}

#[derive(Default)]
pub(crate) struct WorkKeep;

impl Work {
    pub(crate) fn raw(&self, _keep: &mut WorkKeep) -> Result<sys::netcl_work> {
        Ok(sys::netcl_work {
            operations: self.operations,
            bytes: self.bytes,
            bytes_written: self.bytes_written,
            dtype: self.dtype.0,
            matrix_units: self.matrix_units as u32,
            cold_cache: self.cold_cache as u32,
            ..sys::netcl_work::INIT
        })
    }
}

/// How a kernel is launched. The work is what profiles and statistics count for the launch, so that
/// `netcl_roofline_analyze_statistics` knows it; its cold_cache must be 0, as a measurement knows
/// that itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaunchOptions<'a> {
    /// global offset; UNSUPPORTED beyond the driver's bits
    pub offset: [u64; 3],
    /// 1: round the global size up to the local size; the kernel guards
    pub round_up: bool,
    /// what one launch has to do at least; NULL: not known
    pub work: Option<&'a Work>,
}

#[derive(Default)]
pub(crate) struct LaunchOptionsKeep {
    work: (Option<sys::netcl_work>, WorkKeep),
}

impl<'a> LaunchOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut LaunchOptionsKeep) -> Result<sys::netcl_launch_options> {
        if let Some(inner) = self.work {
            keep.work.0 = Some(inner.raw(&mut keep.work.1)?);
        }
        Ok(sys::netcl_launch_options {
            offset: self.offset,
            round_up: self.round_up as u32,
            work: keep.work.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            ..sys::netcl_launch_options::INIT
        })
    }
}

/// What a choice is made for, beside the sizes.
#[derive(Clone, Copy, Debug, Default)]
pub struct VariantOptions<'a> {
    /// instead of the device's own, with the next
    pub info: Option<&'a DeviceInfo>,
    /// a recorded device; NULL: the device's own
    pub capabilities: Option<&'a DeviceCapabilities>,
    /// of the elements; 0: f32
    pub dtype: Dtype,
    /// a request; 0: by the rules
    pub variant: Variant,
}

#[derive(Default)]
pub(crate) struct VariantOptionsKeep {
    info: Option<sys::netcl_device_info>,
    capabilities: Option<sys::netcl_device_capabilities>,
}

impl<'a> VariantOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut VariantOptionsKeep) -> Result<sys::netcl_variant_options> {
        if let Some(inner) = self.info {
            keep.info = Some(inner.raw());
        }
        if let Some(inner) = self.capabilities {
            keep.capabilities = Some(inner.raw());
        }
        Ok(sys::netcl_variant_options {
            info: keep.info.as_ref().map_or(ptr::null(), |s| s as *const _),
            capabilities: keep.capabilities.as_ref().map_or(ptr::null(), |s| s as *const _),
            dtype: self.dtype.0,
            variant: self.variant.0,
            ..sys::netcl_variant_options::INIT
        })
    }
}

/// Sizes of a 2-d convolution, as `netcl_op_conv2d` takes them from its tensors and options. A
/// tensor of more than 2^60 elements is INVALID_ARGUMENT, as are strides, dilations and padding
/// beyond 2^31 - 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conv2dShape {
    /// `batch`.
    pub batch: i64,
    /// `channels`.
    pub channels: i64,
    /// `height`.
    pub height: i64,
    /// `width`.
    pub width: i64,
    /// `filters`.
    pub filters: i64,
    /// `kernel_height`.
    pub kernel_height: i64,
    /// `kernel_width`.
    pub kernel_width: i64,
    /// 0: 1
    pub strides: [i64; 2],
    /// 0: 1
    pub dilations: [i64; 2],
    /// top, left, bottom, right
    pub padding: [i64; 4],
    /// 0: 1
    pub groups: i64,
}

#[derive(Default)]
pub(crate) struct Conv2dShapeKeep;

impl Conv2dShape {
    pub(crate) fn raw(&self, _keep: &mut Conv2dShapeKeep) -> Result<sys::netcl_conv2d_shape> {
        Ok(sys::netcl_conv2d_shape {
            batch: self.batch,
            channels: self.channels,
            height: self.height,
            width: self.width,
            filters: self.filters,
            kernel_height: self.kernel_height,
            kernel_width: self.kernel_width,
            strides: self.strides,
            dilations: self.dilations,
            padding: self.padding,
            groups: self.groups,
            ..sys::netcl_conv2d_shape::INIT
        })
    }
}

/// Ops follow ONNX opset 17 where ONNX has the op. f16 and bf16 are computed in f32 (sums too) and
/// rounded once. f64 is UNSUPPORTED on a device without fp64. Tensors may have any strides; results
/// are new C-order tensors unless run-\>into is set, whose shape and dtype must be those of the
/// result. run-\>into shares no memory with an input unless the op says so. The same input gives
/// the same bits each time on a device, with any number of threads, unless an option asks for
/// atomics. Axes count from the end when negative. Sizes, shapes, axes or dtypes that do not fit
/// are INVALID_ARGUMENT naming the two things that disagree; dtypes an op does not take are
/// UNSUPPORTED.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExpressionOptions {
    /// of the result; 0: as promotion of the inputs gives
    pub dtype: Dtype,
    /// 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED
    pub variant: Variant,
}

#[derive(Default)]
pub(crate) struct ExpressionOptionsKeep;

impl ExpressionOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut ExpressionOptionsKeep,
    ) -> Result<sys::netcl_expression_options> {
        Ok(sys::netcl_expression_options {
            dtype: self.dtype.0,
            variant: self.variant.0,
            ..sys::netcl_expression_options::INIT
        })
    }
}

/// Options: `netcl_expressions_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExpressionsOptions<'a> {
    /// of the results, 0 for one as promotion of the inputs gives; none: 0 for all
    pub dtypes: &'a [Dtype],
    /// write the results here: tensors of one shape, each on memory of its own; none: new tensors
    pub results_into: &'a [&'a AnyTensor],
    /// 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED
    pub variant: Variant,
}

#[derive(Default)]
pub(crate) struct ExpressionsOptionsKeep {
    results_into: Pointers<sys::netcl_tensor>,
}

impl<'a> ExpressionsOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut ExpressionsOptionsKeep,
    ) -> Result<sys::netcl_expressions_options> {
        keep.results_into.fill(self.results_into.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_expressions_options {
            dtypes: support::slice_ptr(self.dtypes) as *const _,
            dtypes_count: support::count("dtypes", self.dtypes.len())?,
            results_into: keep.results_into.as_ptr(),
            results_into_count: support::count("results_into", self.results_into.len())?,
            variant: self.variant.0,
            ..sys::netcl_expressions_options::INIT
        })
    }
}

/// Options: `netcl_elementwise_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct ElementwiseOptions {
    /// with has_parameters = 1
    pub alpha: f64,
    /// with has_parameters = 1
    pub beta: f64,
    /// of the result; 0: as promotion of the inputs gives
    pub dtype: Dtype,
    /// 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED
    pub variant: Variant,
    /// 1: they are set; 0: the operator's defaults
    pub has_parameters: bool,
}

#[derive(Default)]
pub(crate) struct ElementwiseOptionsKeep;

impl ElementwiseOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut ElementwiseOptionsKeep,
    ) -> Result<sys::netcl_elementwise_options> {
        Ok(sys::netcl_elementwise_options {
            alpha: self.alpha,
            beta: self.beta,
            dtype: self.dtype.0,
            variant: self.variant.0,
            has_parameters: self.has_parameters as u32,
            ..sys::netcl_elementwise_options::INIT
        })
    }
}

/// Formulas are over v0 ... v(arity-1) and the attributes by their names; those of gradients also
/// over grad, the gradient of what was made of the result, and out, the result. A primitive of any
/// number of inputs (arity 0) joins two in its forward formula: v0 is the result of the inputs
/// before, v1 the next input, and one input alone is its own result. It has one backward formula
/// for every input, in which v0 is that input. All that a formula needs is copied.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrimitiveOptions<'a> {
    /// formula of the result: "MUL(v0, v1)" or "v0 \* v1"
    pub forward: Option<&'a str>,
    /// formulas of the gradients of the inputs in their order; "": as the derivative of forward.
    /// None: all of them so
    pub backward: &'a [&'a str],
    /// names of numbers that each call may set: letters, digits and _, up to 31, and no name of the
    /// language
    pub attributes: &'a [&'a str],
    /// values of the attributes where a call sets none; none: every call sets all
    pub defaults: &'a [f64],
    /// number of inputs, 1 to `NETCL_PRIMITIVE_INPUTS_MAX`; 0: any
    pub arity: u32,
    /// 1: a function of the host gives gradients too; 0 for others
    pub gives_gradients: bool,
    /// 1: what the function calls is not kept for gradients; it is called again when these are
    /// asked for. 0 for others
    pub checkpoint: bool,
}

#[derive(Default)]
pub(crate) struct PrimitiveOptionsKeep {
    forward: Option<CText>,
    backward: Texts,
    attributes: Texts,
}

impl<'a> PrimitiveOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut PrimitiveOptionsKeep,
    ) -> Result<sys::netcl_primitive_options> {
        keep.forward = self.forward.map(|t| CText::new("forward", t)).transpose()?;
        keep.backward.fill("backward", self.backward)?;
        keep.attributes.fill("attributes", self.attributes)?;
        Ok(sys::netcl_primitive_options {
            forward: keep.forward.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            backward: keep.backward.as_ptr(),
            backward_count: support::count("backward", self.backward.len())?,
            attributes: keep.attributes.as_ptr(),
            attributes_count: support::count("attributes", self.attributes.len())?,
            defaults: support::slice_ptr(self.defaults) as *const _,
            defaults_count: support::count("defaults", self.defaults.len())?,
            arity: self.arity,
            gives_gradients: self.gives_gradients as u32,
            checkpoint: self.checkpoint as u32,
            ..sys::netcl_primitive_options::INIT
        })
    }
}

/// How the kernels of a primitive are launched; see `netcl_primitive_register_kernels`.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrimitiveKernels<'a> {
    /// gives the result
    pub forward: Option<&'a Kernel>,
    /// give the gradients of the inputs in their order; none: the primitive has no gradient
    pub backward: &'a [&'a Kernel],
    /// work items, 0 from rank on
    pub global: [u64; 3],
    /// of a group, 0 from rank on; zeros: netcl's own choice
    pub local: [u64; 3],
    /// of global and local, up to 3; 0: a launch has one item for each element that it writes, in
    /// one dimension
    pub rank: u32,
}

#[derive(Default)]
pub(crate) struct PrimitiveKernelsKeep {
    backward: Pointers<sys::netcl_kernel>,
}

impl<'a> PrimitiveKernels<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut PrimitiveKernelsKeep,
    ) -> Result<sys::netcl_primitive_kernels> {
        keep.backward.fill(self.backward.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_primitive_kernels {
            forward: self.forward.map_or(ptr::null_mut(), |h| h.as_raw()),
            backward: keep.backward.as_ptr(),
            backward_count: support::count("backward", self.backward.len())?,
            global: self.global,
            local: self.local,
            rank: self.rank,
            ..sys::netcl_primitive_kernels::INIT
        })
    }
}

/// Values of attributes for one call, NULL: the defaults of all. A value stands in the formula as a
/// floating literal, whose type is that of what it meets. As with literals, new values compile
/// nothing, but for exponents and the like (docs/expressions.md).
#[derive(Clone, Copy, Debug, Default)]
pub struct PrimitiveCallOptions<'a> {
    /// names, each at most once
    pub attributes: &'a [&'a str],
    /// of the attributes, in the same order
    pub values: &'a [f64],
}

#[derive(Default)]
pub(crate) struct PrimitiveCallOptionsKeep {
    attributes: Texts,
}

impl<'a> PrimitiveCallOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut PrimitiveCallOptionsKeep,
    ) -> Result<sys::netcl_primitive_call_options> {
        keep.attributes.fill("attributes", self.attributes)?;
        Ok(sys::netcl_primitive_call_options {
            attributes: keep.attributes.as_ptr(),
            attributes_count: support::count("attributes", self.attributes.len())?,
            values: support::slice_ptr(self.values) as *const _,
            values_count: support::count("values", self.values.len())?,
            ..sys::netcl_primitive_call_options::INIT
        })
    }
}

/// What is done to each element of a product before it is stored: activation(product + bias +
/// residual), in the precision of the sums, rounded once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Epilogue<'a> {
    /// matmul: broadcasts to the result; conv2d: \[filters\]
    pub bias: Option<&'a AnyTensor>,
    /// the shape of the result; may be run-\>into: beta + 1
    pub residual: Option<&'a AnyTensor>,
    /// of the activation; both 0: the activation's defaults
    pub alpha: f64,
    /// of the activation; both 0: the activation's defaults
    pub beta: f64,
    /// `activation`.
    pub activation: Activation,
    /// 1: alpha and beta are set, even to 0
    pub has_parameters: bool,
}

#[derive(Default)]
pub(crate) struct EpilogueKeep;

impl<'a> Epilogue<'a> {
    pub(crate) fn raw(&self, _keep: &mut EpilogueKeep) -> Result<sys::netcl_epilogue> {
        Ok(sys::netcl_epilogue {
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            residual: self.residual.map_or(ptr::null_mut(), |h| h.as_raw()),
            alpha: self.alpha,
            beta: self.beta,
            activation: self.activation.0,
            has_parameters: self.has_parameters as u32,
            ..sys::netcl_epilogue::INIT
        })
    }
}

/// Options: `netcl_matmul_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct MatmulOptions<'a> {
    /// NULL: none; its tensors have the dtype of a or the result, for i8 and u8 that of the result
    pub epilogue: Option<&'a Epilogue<'a>>,
    /// with has_scale = 1
    pub alpha: f64,
    /// with has_scale = 1; needs run-\>into
    pub beta: f64,
    /// of the result; 0: as the inputs, i32 of i8 and u8
    pub dtype: Dtype,
    /// 1: take alpha and beta; 0: alpha = 1, beta = 0
    pub has_scale: bool,
    /// 0 or one of MATMUL_...
    pub variant: Variant,
    /// of f32, and of its gradients; other dtypes have STRICT alone
    pub precision: Precision,
    /// i8 and u8 alone; NULL: 0. Of a's dtype, one element (any rank), \[M\], or \[..., M, 1\]
    /// whose leading dimensions broadcast to the result's
    pub a_zero_point: Option<&'a AnyTensor>,
    /// the same of b: one element, \[N\], or \[..., 1, N\]
    pub b_zero_point: Option<&'a AnyTensor>,
}

#[derive(Default)]
pub(crate) struct MatmulOptionsKeep {
    epilogue: (Option<sys::netcl_epilogue>, EpilogueKeep),
}

impl<'a> MatmulOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut MatmulOptionsKeep) -> Result<sys::netcl_matmul_options> {
        if let Some(inner) = self.epilogue {
            keep.epilogue.0 = Some(inner.raw(&mut keep.epilogue.1)?);
        }
        Ok(sys::netcl_matmul_options {
            epilogue: keep.epilogue.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            alpha: self.alpha,
            beta: self.beta,
            dtype: self.dtype.0,
            has_scale: self.has_scale as u32,
            variant: self.variant.0,
            precision: self.precision.0,
            a_zero_point: self.a_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            b_zero_point: self.b_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_matmul_options::INIT
        })
    }
}

/// A batch normalisation (inference) that is folded into a convolution. All tensors are \[filters\]
/// and have x's dtype or f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conv2dBatchnorm<'a> {
    /// NULL: 1
    pub scale: Option<&'a AnyTensor>,
    /// NULL: 0
    pub bias: Option<&'a AnyTensor>,
    /// `mean`.
    pub mean: Option<&'a AnyTensor>,
    /// `variance`.
    pub variance: Option<&'a AnyTensor>,
    /// finite, from 0 on; 0: 1e-5, but for has_epsilon
    pub epsilon: f64,
    /// 1: epsilon is set, even to 0
    pub has_epsilon: bool,
}

#[derive(Default)]
pub(crate) struct Conv2dBatchnormKeep;

impl<'a> Conv2dBatchnorm<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut Conv2dBatchnormKeep,
    ) -> Result<sys::netcl_conv2d_batchnorm> {
        Ok(sys::netcl_conv2d_batchnorm {
            scale: self.scale.map_or(ptr::null_mut(), |h| h.as_raw()),
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            mean: self.mean.map_or(ptr::null_mut(), |h| h.as_raw()),
            variance: self.variance.map_or(ptr::null_mut(), |h| h.as_raw()),
            epsilon: self.epsilon,
            has_epsilon: self.has_epsilon as u32,
            ..sys::netcl_conv2d_batchnorm::INIT
        })
    }
}

/// Options: `netcl_conv2d_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conv2dOptions<'a> {
    /// NULL: none; bias has x's dtype or f32, residual x's dtype
    pub epilogue: Option<&'a Epilogue<'a>>,
    /// comes after the bias, before residual and activation
    pub batchnorm: Option<&'a Conv2dBatchnorm<'a>>,
    /// 0: 1
    pub strides: [i64; 2],
    /// 0: 1
    pub dilations: [i64; 2],
    /// zeros around x: top, left, bottom, right
    pub padding: [i64; 4],
    /// 0: 1
    pub groups: i64,
    /// 0 or one of CONV2D_...
    pub variant: Variant,
    /// with CONV2D_WINOGRAD: 2 or 4; 0: by the rules
    pub winograd_tile: u32,
}

#[derive(Default)]
pub(crate) struct Conv2dOptionsKeep {
    epilogue: (Option<sys::netcl_epilogue>, EpilogueKeep),
    batchnorm: (Option<sys::netcl_conv2d_batchnorm>, Conv2dBatchnormKeep),
}

impl<'a> Conv2dOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut Conv2dOptionsKeep) -> Result<sys::netcl_conv2d_options> {
        if let Some(inner) = self.epilogue {
            keep.epilogue.0 = Some(inner.raw(&mut keep.epilogue.1)?);
        }
        if let Some(inner) = self.batchnorm {
            keep.batchnorm.0 = Some(inner.raw(&mut keep.batchnorm.1)?);
        }
        Ok(sys::netcl_conv2d_options {
            epilogue: keep.epilogue.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            batchnorm: keep.batchnorm.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            strides: self.strides,
            dilations: self.dilations,
            padding: self.padding,
            groups: self.groups,
            variant: self.variant.0,
            winograd_tile: self.winograd_tile,
            ..sys::netcl_conv2d_options::INIT
        })
    }
}

/// How weights are quantised, for all ops on them. NBITS alone has scales, zero points, bits and
/// block_size, which are NULL and 0 with the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuantizedOptions<'a> {
    /// \[N \* blocks\] or \[N, blocks\], f32, f16 or bf16
    pub scales: Option<&'a AnyTensor>,
    /// NULL: 2^(bits - 1). u8 as \[N \* P\] or \[N, P\], each row's packed like codes in P =
    /// ceil(blocks bits / 8) bytes; or of the scales' dtype and shapes
    pub zero_points: Option<&'a AnyTensor>,
    /// of a product: as in `netcl_matmul_options`; NULL: none
    pub epilogue: Option<&'a Epilogue<'a>>,
    /// K; 0: all weights of the blocks. Of NBITS the last block may have less: K \> (blocks - 1)
    /// block_size
    pub k: i64,
    /// `format`.
    pub format: Quantization,
    /// 4 or 8 (UNSUPPORTED otherwise); 0: 4
    pub bits: u32,
    /// 16, 32, 64, 128 or 256; 0: 32
    pub block_size: u32,
    /// of what is made. Product: x's, or f32; 0: run-\>into's, or x's. Dequantised weights: f32,
    /// f16 or bf16; 0: run-\>into's, or f32. Scales of NBITS that are made: f32, f16 or bf16; 0:
    /// f32
    pub dtype: Dtype,
    /// 1: `netcl_op_quantize_weights` makes zero points, of NBITS
    pub has_zero_points: bool,
}

#[derive(Default)]
pub(crate) struct QuantizedOptionsKeep {
    epilogue: (Option<sys::netcl_epilogue>, EpilogueKeep),
}

impl<'a> QuantizedOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut QuantizedOptionsKeep,
    ) -> Result<sys::netcl_quantized_options> {
        if let Some(inner) = self.epilogue {
            keep.epilogue.0 = Some(inner.raw(&mut keep.epilogue.1)?);
        }
        Ok(sys::netcl_quantized_options {
            scales: self.scales.map_or(ptr::null_mut(), |h| h.as_raw()),
            zero_points: self.zero_points.map_or(ptr::null_mut(), |h| h.as_raw()),
            epilogue: keep.epilogue.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            k: self.k,
            format: self.format.0,
            bits: self.bits,
            block_size: self.block_size,
            dtype: self.dtype.0,
            has_zero_points: self.has_zero_points as u32,
            ..sys::netcl_quantized_options::INIT
        })
    }
}

/// ---- Ops: attention --------------------------------------------------------------------------
#[derive(Clone, Copy, Debug, Default)]
pub struct AttentionOptions<'a> {
    /// added to the scores: of q's dtype or f32, broadcasts to \[B, H, M, N\]; -inf hides a key
    /// whose score is finite
    pub bias: Option<&'a AnyTensor>,
    /// bool, true: the key is seen; broadcasts to \[B, H, M, N\]
    pub mask: Option<&'a AnyTensor>,
    /// i32 \[B\]: queries of each sequence, 0 to M; NULL: M
    pub query_lengths: Option<&'a AnyTensor>,
    /// i32 \[B\]: keys of each sequence, 0 to N; NULL: N
    pub key_lengths: Option<&'a AnyTensor>,
    /// i32 \[B, P\]: k and v are pages, of which these are each sequence's; needs key_lengths
    pub block_table: Option<&'a AnyTensor>,
    /// write the log-sum-exp here
    pub lse_into: Option<&'a AnyTensor>,
    /// of q k; 0: 1 / sqrt(D), but for has_scale
    pub scale: f64,
    /// c \> 0: a score s becomes c tanh(s / c), before the bias; 0: it does not
    pub softcap: f64,
    /// with has_position: the key at which query 0 stands
    pub position: i64,
    /// with has_window: keys seen before a query's own; -1: all
    pub window_before: i64,
    /// with has_window: keys seen behind it; -1: all; causal: 0, -1
    pub window_after: i64,
    /// 1: scale is set, even to 0
    pub has_scale: bool,
    /// 1: position is set; 0: the last query stands at the last key
    pub has_position: bool,
    /// 1: they are set
    pub has_window: bool,
    /// 1: no key behind a query's own is seen
    pub causal: bool,
    /// 0 or one of ATTENTION_...
    pub variant: Variant,
}

#[derive(Default)]
pub(crate) struct AttentionOptionsKeep;

impl<'a> AttentionOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut AttentionOptionsKeep,
    ) -> Result<sys::netcl_attention_options> {
        Ok(sys::netcl_attention_options {
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            mask: self.mask.map_or(ptr::null_mut(), |h| h.as_raw()),
            query_lengths: self.query_lengths.map_or(ptr::null_mut(), |h| h.as_raw()),
            key_lengths: self.key_lengths.map_or(ptr::null_mut(), |h| h.as_raw()),
            block_table: self.block_table.map_or(ptr::null_mut(), |h| h.as_raw()),
            lse_into: self.lse_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            scale: self.scale,
            softcap: self.softcap,
            position: self.position,
            window_before: self.window_before,
            window_after: self.window_after,
            has_scale: self.has_scale as u32,
            has_position: self.has_position as u32,
            has_window: self.has_window as u32,
            causal: self.causal as u32,
            variant: self.variant.0,
            ..sys::netcl_attention_options::INIT
        })
    }
}

/// Options: `netcl_rotary_embedding_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct RotaryEmbeddingOptions<'a> {
    /// i32 or i64 \[B, S\]: the row of the caches for each token; NULL: the caches are \[B, S, R /
    /// 2\]
    pub position_ids: Option<&'a AnyTensor>,
    /// H of x of rank 3; of rank 4 0 or H
    pub num_heads: i64,
    /// R, even: so many elements of a head, the first, are rotated, the others stay as they are; 0:
    /// D, which is even then
    pub rotary_embedding_dim: i64,
    /// 1: elements 2 i and 2 i + 1 are a pair; 0: i and i + R / 2
    pub interleaved: bool,
    /// 1: by the negative angle, which undoes a rotation
    pub inverse: bool,
}

#[derive(Default)]
pub(crate) struct RotaryEmbeddingOptionsKeep;

impl<'a> RotaryEmbeddingOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut RotaryEmbeddingOptionsKeep,
    ) -> Result<sys::netcl_rotary_embedding_options> {
        Ok(sys::netcl_rotary_embedding_options {
            position_ids: self.position_ids.map_or(ptr::null_mut(), |h| h.as_raw()),
            num_heads: self.num_heads,
            rotary_embedding_dim: self.rotary_embedding_dim,
            interleaved: self.interleaved as u32,
            inverse: self.inverse as u32,
            ..sys::netcl_rotary_embedding_options::INIT
        })
    }
}

/// Options: `netcl_reduce_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceOptions<'a> {
    /// axes_count 0: all axes
    pub axes: &'a [i32],
    /// 1: reduced axes stay with extent 1
    pub keepdims: bool,
    /// of the result; 0: as x (see `netcl_op_reduce`)
    pub dtype: Dtype,
    /// 0 or one of REDUCTION_...
    pub variant: Variant,
    /// 1: ARGMAX and ARGMIN give the last of equals
    pub select_last: bool,
}

#[derive(Default)]
pub(crate) struct ReduceOptionsKeep;

impl<'a> ReduceOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut ReduceOptionsKeep) -> Result<sys::netcl_reduce_options> {
        Ok(sys::netcl_reduce_options {
            axes: support::slice_ptr(self.axes) as *const _,
            axes_count: support::count("axes", self.axes.len())?,
            keepdims: self.keepdims as u32,
            dtype: self.dtype.0,
            variant: self.variant.0,
            select_last: self.select_last as u32,
            ..sys::netcl_reduce_options::INIT
        })
    }
}

/// Options: `netcl_scan_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScanOptions {
    /// 1: element i is of those before i, the first one the neutral value
    pub exclusive: bool,
    /// 1: from the end of the axis
    pub reverse: bool,
}

#[derive(Default)]
pub(crate) struct ScanOptionsKeep;

impl ScanOptions {
    pub(crate) fn raw(&self, _keep: &mut ScanOptionsKeep) -> Result<sys::netcl_scan_options> {
        Ok(sys::netcl_scan_options {
            exclusive: self.exclusive as u32,
            reverse: self.reverse as u32,
            ..sys::netcl_scan_options::INIT
        })
    }
}

/// Options: `netcl_histogram_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct HistogramOptions {
    /// lower end; low = high = 0: the lowest finite value of x
    pub low: f64,
    /// upper end, which belongs to the last bin
    pub high: f64,
}

#[derive(Default)]
pub(crate) struct HistogramOptionsKeep;

impl HistogramOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut HistogramOptionsKeep,
    ) -> Result<sys::netcl_histogram_options> {
        Ok(sys::netcl_histogram_options {
            low: self.low,
            high: self.high,
            ..sys::netcl_histogram_options::INIT
        })
    }
}

/// Options: `netcl_topk_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct TopkOptions<'a> {
    /// write the indices here
    pub indices_into: Option<&'a AnyTensor>,
    /// 1: the smallest instead of the largest
    pub smallest: bool,
}

#[derive(Default)]
pub(crate) struct TopkOptionsKeep;

impl<'a> TopkOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut TopkOptionsKeep) -> Result<sys::netcl_topk_options> {
        Ok(sys::netcl_topk_options {
            indices_into: self.indices_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            smallest: self.smallest as u32,
            ..sys::netcl_topk_options::INIT
        })
    }
}

/// Options: `netcl_norm_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct NormOptions<'a> {
    /// broadcasts to the normalised axes; NULL: 1
    pub scale: Option<&'a AnyTensor>,
    /// the same; layernorm only; NULL: 0
    pub bias: Option<&'a AnyTensor>,
    /// finite, from 0 on; 0: 1e-5, but for has_epsilon
    pub epsilon: f64,
    /// 1: epsilon is set, even to 0
    pub has_epsilon: bool,
}

#[derive(Default)]
pub(crate) struct NormOptionsKeep;

impl<'a> NormOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut NormOptionsKeep) -> Result<sys::netcl_norm_options> {
        Ok(sys::netcl_norm_options {
            scale: self.scale.map_or(ptr::null_mut(), |h| h.as_raw()),
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            epsilon: self.epsilon,
            has_epsilon: self.has_epsilon as u32,
            ..sys::netcl_norm_options::INIT
        })
    }
}

/// Options: `netcl_batchnorm_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchnormOptions<'a> {
    /// \[C\]; NULL: 1
    pub scale: Option<&'a AnyTensor>,
    /// \[C\]; NULL: 0
    pub bias: Option<&'a AnyTensor>,
    /// finite, from 0 on; 0: 1e-5, but for has_epsilon
    pub epsilon: f64,
    /// training: share of the old statistics, \[0, 1\]; 0: 0.9, but for has_momentum
    pub momentum: f64,
    /// of the activation; both 0: the activation's defaults
    pub alpha: f64,
    /// of the activation; both 0: the activation's defaults
    pub beta: f64,
    /// applied to the result
    pub activation: Activation,
    /// 0 or one of BATCHNORM_...
    pub variant: Variant,
    /// 1: statistics of this batch
    pub training: bool,
    /// 1: epsilon is set, even to 0
    pub has_epsilon: bool,
    /// 1: momentum is set, even to 0
    pub has_momentum: bool,
    /// 1: alpha and beta are set, even to 0
    pub has_parameters: bool,
}

#[derive(Default)]
pub(crate) struct BatchnormOptionsKeep;

impl<'a> BatchnormOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut BatchnormOptionsKeep,
    ) -> Result<sys::netcl_batchnorm_options> {
        Ok(sys::netcl_batchnorm_options {
            scale: self.scale.map_or(ptr::null_mut(), |h| h.as_raw()),
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            epsilon: self.epsilon,
            momentum: self.momentum,
            alpha: self.alpha,
            beta: self.beta,
            activation: self.activation.0,
            variant: self.variant.0,
            training: self.training as u32,
            has_epsilon: self.has_epsilon as u32,
            has_momentum: self.has_momentum as u32,
            has_parameters: self.has_parameters as u32,
            ..sys::netcl_batchnorm_options::INIT
        })
    }
}

/// Options: `netcl_pool2d_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pool2dOptions {
    /// 0: the whole extent (global pooling)
    pub window: [i64; 2],
    /// 0: 1
    pub strides: [i64; 2],
    /// 0: 1
    pub dilations: [i64; 2],
    /// top, left, bottom, right; less than the window spans
    pub padding: [i64; 4],
    /// 1: round the result's extent up
    pub ceil_mode: bool,
    /// 1: averages count the padding
    pub count_include_pad: bool,
}

#[derive(Default)]
pub(crate) struct Pool2dOptionsKeep;

impl Pool2dOptions {
    pub(crate) fn raw(&self, _keep: &mut Pool2dOptionsKeep) -> Result<sys::netcl_pool2d_options> {
        Ok(sys::netcl_pool2d_options {
            window: self.window,
            strides: self.strides,
            dilations: self.dilations,
            padding: self.padding,
            ceil_mode: self.ceil_mode as u32,
            count_include_pad: self.count_include_pad as u32,
            ..sys::netcl_pool2d_options::INIT
        })
    }
}

/// Whole numbers that stand for real ones: (q - zero_point) \* scale. Where a quotient is rounded
/// to a whole number, halves go to the even one, the zero point is added behind that, and what the
/// dtype does not hold becomes its lowest or highest number; NaN becomes the lowest. The bits are
/// the same on every device that divides f32 with correct rounding (docs/expressions.md) or has
/// f64; elsewhere a quotient is within 2.5 ULP, which next to a half may give the neighbour. Zero
/// points have the dtype of what they belong to. `into` shares no memory with another tensor.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuantizeLinearOptions<'a> {
    /// of the scale's shape and the result's dtype; NULL: 0
    pub zero_point: Option<&'a AnyTensor>,
    /// elements along the axis that share a scale; 0: no blocks
    pub block_size: i64,
    /// of the result: i8, u8, i16, u16; 0: as zero_point or run-\>into, else u8
    pub dtype: Dtype,
    /// what x and scale are converted to, divided in and rounded to: f32, f16, bf16; 0: as scale
    pub precision: Dtype,
}

#[derive(Default)]
pub(crate) struct QuantizeLinearOptionsKeep;

impl<'a> QuantizeLinearOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut QuantizeLinearOptionsKeep,
    ) -> Result<sys::netcl_quantize_linear_options> {
        Ok(sys::netcl_quantize_linear_options {
            zero_point: self.zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            block_size: self.block_size,
            dtype: self.dtype.0,
            precision: self.precision.0,
            ..sys::netcl_quantize_linear_options::INIT
        })
    }
}

/// Options: `netcl_dequantize_linear_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct DequantizeLinearOptions<'a> {
    /// of the scale's shape and x's dtype; NULL: 0
    pub zero_point: Option<&'a AnyTensor>,
    /// elements along the axis that share a scale; 0: no blocks
    pub block_size: i64,
    /// of the result: f32, f16, bf16; 0: as run-\>into, else as scale
    pub dtype: Dtype,
}

#[derive(Default)]
pub(crate) struct DequantizeLinearOptionsKeep;

impl<'a> DequantizeLinearOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut DequantizeLinearOptionsKeep,
    ) -> Result<sys::netcl_dequantize_linear_options> {
        Ok(sys::netcl_dequantize_linear_options {
            zero_point: self.zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            block_size: self.block_size,
            dtype: self.dtype.0,
            ..sys::netcl_dequantize_linear_options::INIT
        })
    }
}

/// Options: `netcl_dynamic_quantize_linear_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct DynamicQuantizeLinearOptions<'a> {
    /// write the scale here: f32, rank 0
    pub scale_into: Option<&'a AnyTensor>,
    /// write the zero point here: u8, rank 0
    pub zero_point_into: Option<&'a AnyTensor>,
}

#[derive(Default)]
pub(crate) struct DynamicQuantizeLinearOptionsKeep;

impl<'a> DynamicQuantizeLinearOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut DynamicQuantizeLinearOptionsKeep,
    ) -> Result<sys::netcl_dynamic_quantize_linear_options> {
        Ok(sys::netcl_dynamic_quantize_linear_options {
            scale_into: self.scale_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            zero_point_into: self.zero_point_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_dynamic_quantize_linear_options::INIT
        })
    }
}

/// Options: `netcl_qlinear_matmul_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct QlinearMatmulOptions<'a> {
    /// one element, \[M\], or \[..., M, 1\]; NULL: 0
    pub a_zero_point: Option<&'a AnyTensor>,
    /// one element, \[N\], or \[..., 1, N\]; NULL: 0
    pub b_zero_point: Option<&'a AnyTensor>,
    /// one element of the result's dtype; NULL: 0
    pub y_zero_point: Option<&'a AnyTensor>,
    /// of the result: i8, u8; 0: as y_zero_point or run-\>into, else as a
    pub dtype: Dtype,
}

#[derive(Default)]
pub(crate) struct QlinearMatmulOptionsKeep;

impl<'a> QlinearMatmulOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut QlinearMatmulOptionsKeep,
    ) -> Result<sys::netcl_qlinear_matmul_options> {
        Ok(sys::netcl_qlinear_matmul_options {
            a_zero_point: self.a_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            b_zero_point: self.b_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            y_zero_point: self.y_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            dtype: self.dtype.0,
            ..sys::netcl_qlinear_matmul_options::INIT
        })
    }
}

/// Options: `netcl_conv2d_integer_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conv2dIntegerOptions<'a> {
    /// one element; NULL: 0
    pub x_zero_point: Option<&'a AnyTensor>,
    /// one element or \[F\]; NULL: 0
    pub w_zero_point: Option<&'a AnyTensor>,
    /// 0: 1
    pub strides: [i64; 2],
    /// 0: 1
    pub dilations: [i64; 2],
    /// around x: top, left, bottom, right
    pub padding: [i64; 4],
    /// 0: 1
    pub groups: i64,
}

#[derive(Default)]
pub(crate) struct Conv2dIntegerOptionsKeep;

impl<'a> Conv2dIntegerOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut Conv2dIntegerOptionsKeep,
    ) -> Result<sys::netcl_conv2d_integer_options> {
        Ok(sys::netcl_conv2d_integer_options {
            x_zero_point: self.x_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            w_zero_point: self.w_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            strides: self.strides,
            dilations: self.dilations,
            padding: self.padding,
            groups: self.groups,
            ..sys::netcl_conv2d_integer_options::INIT
        })
    }
}

/// Options: `netcl_qlinear_conv2d_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct QlinearConv2dOptions<'a> {
    /// one element; NULL: 0
    pub x_zero_point: Option<&'a AnyTensor>,
    /// one element or \[F\]; NULL: 0
    pub w_zero_point: Option<&'a AnyTensor>,
    /// one element of the result's dtype; NULL: 0
    pub y_zero_point: Option<&'a AnyTensor>,
    /// i32 \[F\], in steps of x_scale \* w_scale; NULL: 0
    pub bias: Option<&'a AnyTensor>,
    /// 0: 1
    pub strides: [i64; 2],
    /// 0: 1
    pub dilations: [i64; 2],
    /// around x: top, left, bottom, right
    pub padding: [i64; 4],
    /// 0: 1
    pub groups: i64,
    /// of the result: i8, u8; 0: as y_zero_point or run-\>into, else as x
    pub dtype: Dtype,
}

#[derive(Default)]
pub(crate) struct QlinearConv2dOptionsKeep;

impl<'a> QlinearConv2dOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut QlinearConv2dOptionsKeep,
    ) -> Result<sys::netcl_qlinear_conv2d_options> {
        Ok(sys::netcl_qlinear_conv2d_options {
            x_zero_point: self.x_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            w_zero_point: self.w_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            y_zero_point: self.y_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            strides: self.strides,
            dilations: self.dilations,
            padding: self.padding,
            groups: self.groups,
            dtype: self.dtype.0,
            ..sys::netcl_qlinear_conv2d_options::INIT
        })
    }
}

/// Options: `netcl_loss_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct LossOptions<'a> {
    /// \[C\], of the classes, in x's dtype or f32; NULL: 1
    pub weights: Option<&'a AnyTensor>,
    /// labels of this value do not count; 0: none, but for has_ignore_index
    pub ignore_index: i64,
    /// 1: ignore_index is set, even to 0
    pub has_ignore_index: bool,
    /// `reduction`.
    pub reduction: LossReduction,
    /// of the loss; 0: x's; f32 is possible for f16 and bf16
    pub dtype: Dtype,
}

#[derive(Default)]
pub(crate) struct LossOptionsKeep;

impl<'a> LossOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut LossOptionsKeep) -> Result<sys::netcl_loss_options> {
        Ok(sys::netcl_loss_options {
            weights: self.weights.map_or(ptr::null_mut(), |h| h.as_raw()),
            ignore_index: self.ignore_index,
            has_ignore_index: self.has_ignore_index as u32,
            reduction: self.reduction.0,
            dtype: self.dtype.0,
            ..sys::netcl_loss_options::INIT
        })
    }
}

/// f16 or bf16 parameters beside f32 masters, and gradients that were scaled to stay in range.
#[derive(Clone, Copy, Debug, Default)]
pub struct MixedPrecision<'a> {
    /// f32, of f16 and bf16 parameters, which are then not read: the step changes the master, of
    /// which the parameter becomes the rounding
    pub masters: &'a [&'a AnyTensor],
    /// f32, one element: gradients are multiplied by 1 / scale
    pub scale: Option<&'a AnyTensor>,
    /// f32, one element: when it is not 0 nothing is written
    pub found_inf: Option<&'a AnyTensor>,
}

#[derive(Default)]
pub(crate) struct MixedPrecisionKeep {
    masters: Pointers<sys::netcl_tensor>,
}

impl<'a> MixedPrecision<'a> {
    pub(crate) fn raw(&self, keep: &mut MixedPrecisionKeep) -> Result<sys::netcl_mixed_precision> {
        keep.masters.fill(self.masters.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_mixed_precision {
            masters: keep.masters.as_ptr(),
            masters_count: support::count("masters", self.masters.len())?,
            scale: self.scale.map_or(ptr::null_mut(), |h| h.as_raw()),
            found_inf: self.found_inf.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_mixed_precision::INIT
        })
    }
}

/// Options: `netcl_sgd_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct SgdOptions<'a> {
    /// b, needed with momentum
    pub momentum_buffers: &'a [&'a AnyTensor],
    /// needed with dampening
    pub step: Option<&'a AnyTensor>,
    /// of the learning rate
    pub factor: Option<&'a AnyTensor>,
    /// `precision`.
    pub precision: Option<&'a MixedPrecision<'a>>,
    /// 0: none
    pub momentum: f64,
    /// `dampening`.
    pub dampening: f64,
    /// `weight_decay`.
    pub weight_decay: f64,
    /// 1: Nesterov's momentum, which has no dampening
    pub nesterov: bool,
}

#[derive(Default)]
pub(crate) struct SgdOptionsKeep {
    momentum_buffers: Pointers<sys::netcl_tensor>,
    precision: (Option<sys::netcl_mixed_precision>, MixedPrecisionKeep),
}

impl<'a> SgdOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut SgdOptionsKeep) -> Result<sys::netcl_sgd_options> {
        keep.momentum_buffers.fill(self.momentum_buffers.iter().map(|h| h.as_raw()));
        if let Some(inner) = self.precision {
            keep.precision.0 = Some(inner.raw(&mut keep.precision.1)?);
        }
        Ok(sys::netcl_sgd_options {
            momentum_buffers: keep.momentum_buffers.as_ptr(),
            momentum_buffers_count: support::count("momentum_buffers", self.momentum_buffers.len())?,
            step: self.step.map_or(ptr::null_mut(), |h| h.as_raw()),
            factor: self.factor.map_or(ptr::null_mut(), |h| h.as_raw()),
            precision: keep.precision.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            momentum: self.momentum,
            dampening: self.dampening,
            weight_decay: self.weight_decay,
            nesterov: self.nesterov as u32,
            ..sys::netcl_sgd_options::INIT
        })
    }
}

/// Options: `netcl_adam_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdamOptions<'a> {
    /// when given, AMSGrad: the largest v so far
    pub max_square_averages: &'a [&'a AnyTensor],
    /// of the learning rate
    pub factor: Option<&'a AnyTensor>,
    /// `precision`.
    pub precision: Option<&'a MixedPrecision<'a>>,
    /// 0: 0.9
    pub beta1: f64,
    /// 0: 0.999
    pub beta2: f64,
    /// 0: 1e-8
    pub epsilon: f64,
    /// the default is 0, for AdamW too
    pub weight_decay: f64,
    /// 1: they are set, even to 0
    pub has_betas: bool,
    /// 1: AdamW
    pub decoupled: bool,
}

#[derive(Default)]
pub(crate) struct AdamOptionsKeep {
    max_square_averages: Pointers<sys::netcl_tensor>,
    precision: (Option<sys::netcl_mixed_precision>, MixedPrecisionKeep),
}

impl<'a> AdamOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut AdamOptionsKeep) -> Result<sys::netcl_adam_options> {
        keep.max_square_averages.fill(self.max_square_averages.iter().map(|h| h.as_raw()));
        if let Some(inner) = self.precision {
            keep.precision.0 = Some(inner.raw(&mut keep.precision.1)?);
        }
        Ok(sys::netcl_adam_options {
            max_square_averages: keep.max_square_averages.as_ptr(),
            max_square_averages_count: support::count("max_square_averages", self.max_square_averages.len())?,
            factor: self.factor.map_or(ptr::null_mut(), |h| h.as_raw()),
            precision: keep.precision.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            beta1: self.beta1,
            beta2: self.beta2,
            epsilon: self.epsilon,
            weight_decay: self.weight_decay,
            has_betas: self.has_betas as u32,
            decoupled: self.decoupled as u32,
            ..sys::netcl_adam_options::INIT
        })
    }
}

/// Options: `netcl_rmsprop_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct RmspropOptions<'a> {
    /// b, needed with momentum
    pub momentum_buffers: &'a [&'a AnyTensor],
    /// m; when given, the variance divides: "centered"
    pub averages: &'a [&'a AnyTensor],
    /// of the learning rate
    pub factor: Option<&'a AnyTensor>,
    /// `precision`.
    pub precision: Option<&'a MixedPrecision<'a>>,
    /// 0: 0.99
    pub alpha: f64,
    /// 0: 1e-8
    pub epsilon: f64,
    /// 0: none
    pub momentum: f64,
    /// `weight_decay`.
    pub weight_decay: f64,
}

#[derive(Default)]
pub(crate) struct RmspropOptionsKeep {
    momentum_buffers: Pointers<sys::netcl_tensor>,
    averages: Pointers<sys::netcl_tensor>,
    precision: (Option<sys::netcl_mixed_precision>, MixedPrecisionKeep),
}

impl<'a> RmspropOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut RmspropOptionsKeep) -> Result<sys::netcl_rmsprop_options> {
        keep.momentum_buffers.fill(self.momentum_buffers.iter().map(|h| h.as_raw()));
        keep.averages.fill(self.averages.iter().map(|h| h.as_raw()));
        if let Some(inner) = self.precision {
            keep.precision.0 = Some(inner.raw(&mut keep.precision.1)?);
        }
        Ok(sys::netcl_rmsprop_options {
            momentum_buffers: keep.momentum_buffers.as_ptr(),
            momentum_buffers_count: support::count("momentum_buffers", self.momentum_buffers.len())?,
            averages: keep.averages.as_ptr(),
            averages_count: support::count("averages", self.averages.len())?,
            factor: self.factor.map_or(ptr::null_mut(), |h| h.as_raw()),
            precision: keep.precision.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            alpha: self.alpha,
            epsilon: self.epsilon,
            momentum: self.momentum,
            weight_decay: self.weight_decay,
            ..sys::netcl_rmsprop_options::INIT
        })
    }
}

/// Options: `netcl_adagrad_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdagradOptions<'a> {
    /// needed with learning_rate_decay
    pub step: Option<&'a AnyTensor>,
    /// of the learning rate
    pub factor: Option<&'a AnyTensor>,
    /// `precision`.
    pub precision: Option<&'a MixedPrecision<'a>>,
    /// `learning_rate_decay`.
    pub learning_rate_decay: f64,
    /// 0: 1e-10
    pub epsilon: f64,
    /// `weight_decay`.
    pub weight_decay: f64,
}

#[derive(Default)]
pub(crate) struct AdagradOptionsKeep {
    precision: (Option<sys::netcl_mixed_precision>, MixedPrecisionKeep),
}

impl<'a> AdagradOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut AdagradOptionsKeep) -> Result<sys::netcl_adagrad_options> {
        if let Some(inner) = self.precision {
            keep.precision.0 = Some(inner.raw(&mut keep.precision.1)?);
        }
        Ok(sys::netcl_adagrad_options {
            step: self.step.map_or(ptr::null_mut(), |h| h.as_raw()),
            factor: self.factor.map_or(ptr::null_mut(), |h| h.as_raw()),
            precision: keep.precision.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            learning_rate_decay: self.learning_rate_decay,
            epsilon: self.epsilon,
            weight_decay: self.weight_decay,
            ..sys::netcl_adagrad_options::INIT
        })
    }
}

/// Options: `netcl_loss_scale_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct LossScaleOptions {
    /// above 1; 0: 2
    pub growth_factor: f64,
    /// in (0, 1); 0: 0.5
    pub backoff_factor: f64,
    /// 0: 2000
    pub growth_interval: i64,
}

#[derive(Default)]
pub(crate) struct LossScaleOptionsKeep;

impl LossScaleOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut LossScaleOptionsKeep,
    ) -> Result<sys::netcl_loss_scale_options> {
        Ok(sys::netcl_loss_scale_options {
            growth_factor: self.growth_factor,
            backoff_factor: self.backoff_factor,
            growth_interval: self.growth_interval,
            ..sys::netcl_loss_scale_options::INIT
        })
    }
}

/// Options: `netcl_pad_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct PadOptions {
    /// CONSTANT: one element of x's dtype; NULL: 0
    pub value: Option<Scalar>,
    /// `mode`.
    pub mode: PadMode,
}

#[derive(Default)]
pub(crate) struct PadOptionsKeep {
    value: [u8; 16],
}

impl PadOptions {
    pub(crate) fn raw(&self, keep: &mut PadOptionsKeep) -> Result<sys::netcl_pad_options> {
        keep.value = self.value.map_or([0; 16], |s| s.bytes());
        Ok(sys::netcl_pad_options {
            value: if self.value.is_some() { keep.value.as_ptr() as *const _ } else { ptr::null() },
            mode: self.mode.0,
            ..sys::netcl_pad_options::INIT
        })
    }
}

/// Options: `netcl_scatter_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScatterOptions {
    /// `mode`.
    pub mode: ScatterMode,
    /// 1: ADD of f32, i32, u32 in any order, faster; other dtypes UNSUPPORTED
    pub atomics: bool,
}

#[derive(Default)]
pub(crate) struct ScatterOptionsKeep;

impl ScatterOptions {
    pub(crate) fn raw(&self, _keep: &mut ScatterOptionsKeep) -> Result<sys::netcl_scatter_options> {
        Ok(sys::netcl_scatter_options {
            mode: self.mode.0,
            atomics: self.atomics as u32,
            ..sys::netcl_scatter_options::INIT
        })
    }
}

/// Options: `netcl_resize_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResizeOptions {
    /// `mode`.
    pub mode: ResizeMode,
    /// `coordinates`.
    pub coordinates: ResizeCoordinates,
}

#[derive(Default)]
pub(crate) struct ResizeOptionsKeep;

impl ResizeOptions {
    pub(crate) fn raw(&self, _keep: &mut ResizeOptionsKeep) -> Result<sys::netcl_resize_options> {
        Ok(sys::netcl_resize_options {
            mode: self.mode.0,
            coordinates: self.coordinates.0,
            ..sys::netcl_resize_options::INIT
        })
    }
}

/// How a graph records.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphOptions {
    /// `NETCL_ON`, the default: calls run while they are recorded, and the graph is a tape.
    /// `NETCL_OFF`: they do not, and it is a capture
    pub execute: Toggle,
}

#[derive(Default)]
pub(crate) struct GraphOptionsKeep;

impl GraphOptions {
    pub(crate) fn raw(&self, _keep: &mut GraphOptionsKeep) -> Result<sys::netcl_graph_options> {
        Ok(sys::netcl_graph_options {
            execute: self.execute.0,
            ..sys::netcl_graph_options::INIT
        })
    }
}

/// How a graph made from a function compiles what that records.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphFunctionOptions {
    /// forms that are kept; 0: 16
    pub forms_most: u64,
    /// as in `netcl_graph_compile_options`
    pub fuse: Toggle,
}

#[derive(Default)]
pub(crate) struct GraphFunctionOptionsKeep;

impl GraphFunctionOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut GraphFunctionOptionsKeep,
    ) -> Result<sys::netcl_graph_function_options> {
        Ok(sys::netcl_graph_function_options {
            forms_most: self.forms_most,
            fuse: self.fuse.0,
            ..sys::netcl_graph_function_options::INIT
        })
    }
}

/// How gradients are worked out; see `netcl_graph_add_gradients`.
#[derive(Debug, Default)]
pub struct GradientsOptions<'a> {
    /// gradients of the outputs, of their shapes and dtypes; none: 1 for each output, which then
    /// has one element
    pub seeds: &'a [&'a AnyTensor],
    /// where gradients go: of the inputs' shapes and dtypes, each on memory of its own; none: new
    /// tensors
    pub into: &'a [&'a AnyTensor],
    /// NULL: the default queue of the graph's device
    pub queue: Option<&'a Queue>,
    /// receives one reference: all gradients are there; refused for a capture
    pub event: Option<&'a mut Option<Event>>,
    /// 1: what is in `into` is added to
    pub accumulate: bool,
    /// 1: calls are forgotten as soon as their gradients are known, and those that work them out
    /// are not recorded; the graph is empty afterwards, also when that fails on the way. What is
    /// refused before that leaves it as it was: arguments, and an input that no output depends on.
    /// Refused for a capture
    pub consume: bool,
    /// gets the gradients, of this call or, of a capture, of each run; see `netcl_reducer_wait`.
    /// One for all calls of a capture, and its rank has the graph's device; NULL: none
    pub reducer: Option<&'a Reducer>,
}

#[derive(Default)]
pub(crate) struct GradientsOptionsKeep {
    seeds: Pointers<sys::netcl_tensor>,
    into: Pointers<sys::netcl_tensor>,
    event: support::Out<sys::netcl_event>,
}

impl<'a> GradientsOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut GradientsOptionsKeep,
    ) -> Result<sys::netcl_gradients_options> {
        keep.seeds.fill(self.seeds.iter().map(|h| h.as_raw()));
        keep.into.fill(self.into.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_gradients_options {
            seeds: keep.seeds.as_ptr(),
            seeds_count: support::count("seeds", self.seeds.len())?,
            into: keep.into.as_ptr(),
            into_count: support::count("into", self.into.len())?,
            queue: self.queue.map_or(ptr::null_mut(), |h| h.as_raw()),
            event: if self.event.is_some() { &mut keep.event.0 } else { ptr::null_mut() },
            accumulate: self.accumulate as u32,
            consume: self.consume as u32,
            reducer: self.reducer.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_gradients_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: GradientsOptionsKeep) {
        if let Some(place) = self.event {
            *place = unsafe { Event::from_nullable(keep.event.0) };
        }
    }
}

/// How a capture is made ready to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphCompileOptions {
    /// `NETCL_OFF`: calls are left as they are; the default joins those that can be done by one
    /// kernel. Refused for a graph made from a function
    pub fuse: Toggle,
}

#[derive(Default)]
pub(crate) struct GraphCompileOptionsKeep;

impl GraphCompileOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut GraphCompileOptionsKeep,
    ) -> Result<sys::netcl_graph_compile_options> {
        Ok(sys::netcl_graph_compile_options {
            fuse: self.fuse.0,
            ..sys::netcl_graph_compile_options::INIT
        })
    }
}

/// How a model is loaded.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelOptions {
    /// compiled forms that are kept, of each step where the host decides between steps
    /// (docs/models.md); 0: 16
    pub forms_most: u64,
    /// as in `netcl_graph_compile_options`
    pub fuse: Toggle,
    /// of weights and of the values between, where the file has f32: F16, BF16, or 0 for F32.
    /// Products and other sums add up in f32, and what a short dtype cannot hold stays f32
    /// (docs/models.md)
    pub dtype: Dtype,
}

#[derive(Default)]
pub(crate) struct ModelOptionsKeep;

impl ModelOptions {
    pub(crate) fn raw(&self, _keep: &mut ModelOptionsKeep) -> Result<sys::netcl_model_options> {
        Ok(sys::netcl_model_options {
            forms_most: self.forms_most,
            fuse: self.fuse.0,
            dtype: self.dtype.0,
            ..sys::netcl_model_options::INIT
        })
    }
}

/// How weights are opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightsOptions {
    /// look into the file where that can be; DEFAULT: ON, OFF: copy always
    pub map: Toggle,
}

#[derive(Default)]
pub(crate) struct WeightsOptionsKeep;

impl WeightsOptions {
    pub(crate) fn raw(&self, _keep: &mut WeightsOptionsKeep) -> Result<sys::netcl_weights_options> {
        Ok(sys::netcl_weights_options {
            map: self.map.0,
            ..sys::netcl_weights_options::INIT
        })
    }
}

/// What is written beside the tensors of a file of weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightsSaveOptions<'a> {
    /// of metadata, which safetensors alone has: distinct, UTF-8 without control characters
    pub keys: &'a [&'a str],
    /// a text of UTF-8 for each key
    pub values: &'a [&'a str],
}

#[derive(Default)]
pub(crate) struct WeightsSaveOptionsKeep {
    keys: Texts,
    values: Texts,
}

impl<'a> WeightsSaveOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut WeightsSaveOptionsKeep,
    ) -> Result<sys::netcl_weights_save_options> {
        keep.keys.fill("keys", self.keys)?;
        keep.values.fill("values", self.values)?;
        Ok(sys::netcl_weights_save_options {
            keys: keep.keys.as_ptr(),
            keys_count: support::count("keys", self.keys.len())?,
            values: keep.values.as_ptr(),
            values_count: support::count("values", self.values.len())?,
            ..sys::netcl_weights_save_options::INIT
        })
    }
}

/// Options: `netcl_group_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupOptions {
    /// the longest that a rank waits for another; 0: 60 seconds
    pub timeout_ns: u64,
    /// `transport`.
    pub transport: GroupTransport,
}

#[derive(Default)]
pub(crate) struct GroupOptionsKeep;

impl GroupOptions {
    pub(crate) fn raw(&self, _keep: &mut GroupOptionsKeep) -> Result<sys::netcl_group_options> {
        Ok(sys::netcl_group_options {
            timeout_ns: self.timeout_ns,
            transport: self.transport.0,
            ..sys::netcl_group_options::INIT
        })
    }
}

/// How a reducer joins gradients.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReducerOptions {
    /// a bucket with so many is full; 0: 4 MiB
    pub bucket_bytes: u64,
    /// SUM or MEAN; 0: MEAN
    pub kind: Reduction,
}

#[derive(Default)]
pub(crate) struct ReducerOptionsKeep;

impl ReducerOptions {
    pub(crate) fn raw(&self, _keep: &mut ReducerOptionsKeep) -> Result<sys::netcl_reducer_options> {
        Ok(sys::netcl_reducer_options {
            bucket_bytes: self.bucket_bytes,
            kind: self.kind.0,
            ..sys::netcl_reducer_options::INIT
        })
    }
}

/// How a tensor lies on the ranks of a group.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShardingOptions<'a> {
    /// extents whose product is the size of the group; mesh_count 0: one dimension of all ranks
    pub mesh: &'a [u32],
    /// for each dimension of the mesh the axis that it splits, not counted from the end, or
    /// `NETCL_REPLICATED`; axes_count 0: dimension d splits axis d
    pub axes: &'a [i32],
}

#[derive(Default)]
pub(crate) struct ShardingOptionsKeep;

impl<'a> ShardingOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut ShardingOptionsKeep,
    ) -> Result<sys::netcl_sharding_options> {
        Ok(sys::netcl_sharding_options {
            mesh: support::slice_ptr(self.mesh) as *const _,
            mesh_count: support::count("mesh", self.mesh.len())?,
            axes: support::slice_ptr(self.axes) as *const _,
            axes_count: support::count("axes", self.axes.len())?,
            ..sys::netcl_sharding_options::INIT
        })
    }
}

/// Options: `netcl_halo_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct HaloOptions {
    /// of elements outside of the whole; as `netcl_op_cast` converts it
    pub value: f64,
    /// 1: outside of the whole it begins again; pads are at most extents
    pub periodic: bool,
}

#[derive(Default)]
pub(crate) struct HaloOptionsKeep;

impl HaloOptions {
    pub(crate) fn raw(&self, _keep: &mut HaloOptionsKeep) -> Result<sys::netcl_halo_options> {
        Ok(sys::netcl_halo_options {
            value: self.value,
            periodic: self.periodic as u32,
            ..sys::netcl_halo_options::INIT
        })
    }
}

/// Options: `netcl_measurement_options`. Zero means the default everywhere.
#[derive(Debug, Default)]
pub struct MeasurementOptions<'a> {
    /// runs before the first sample; 0: 3
    pub warmup_count: u64,
    /// and at least this long; 0: 25 ms, unless count is set
    pub warmup_ns: u64,
    /// exactly this many samples; 0: by the rules below
    pub count: u64,
    /// 0: 10
    pub count_least: u64,
    /// 0: 100000
    pub count_most: u64,
    /// may end it before count_least; 0: 1 s per candidate
    pub budget_ns: u64,
    /// wanted of the interval; 0: 0.95
    pub confidence: f64,
    /// half width over the median at which it is enough, once the interval has that confidence; 0:
    /// 0.005
    pub precision: f64,
    /// cold caches: written before a sample; 0: 256 MiB or 4 caches
    pub flush_bytes: u64,
    /// of the order in which candidates take turns
    pub seed: u64,
    /// things that are compared; 0: 1
    pub candidates: u32,
    /// 1: flush the device's caches before each sample
    pub cold_cache: bool,
    /// `source`.
    pub source: TimeSource,
    /// calls that measure to the end: receives one reference to the measurement, which has the
    /// samples
    pub measurement: Option<&'a mut Option<Measurement>>,
}

#[derive(Default)]
pub(crate) struct MeasurementOptionsKeep {
    measurement: support::Out<sys::netcl_measurement>,
}

impl<'a> MeasurementOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut MeasurementOptionsKeep,
    ) -> Result<sys::netcl_measurement_options> {
        Ok(sys::netcl_measurement_options {
            warmup_count: self.warmup_count,
            warmup_ns: self.warmup_ns,
            count: self.count,
            count_least: self.count_least,
            count_most: self.count_most,
            budget_ns: self.budget_ns,
            confidence: self.confidence,
            precision: self.precision,
            flush_bytes: self.flush_bytes,
            seed: self.seed,
            candidates: self.candidates,
            cold_cache: self.cold_cache as u32,
            source: self.source.0,
            measurement: if self.measurement.is_some() { &mut keep.measurement.0 } else { ptr::null_mut() },
            ..sys::netcl_measurement_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: MeasurementOptionsKeep) {
        if let Some(place) = self.measurement {
            *place = unsafe { Measurement::from_nullable(keep.measurement.0) };
        }
    }
}

/// Options: `netcl_profile_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProfileOptions<'a> {
    /// also write a trace there: Chrome's JSON, which Perfetto reads
    pub trace_path: Option<&'a str>,
    /// commands kept for the report; 0: 1000000
    pub records_most: u64,
}

#[derive(Default)]
pub(crate) struct ProfileOptionsKeep {
    trace_path: Option<CText>,
}

impl<'a> ProfileOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut ProfileOptionsKeep) -> Result<sys::netcl_profile_options> {
        keep.trace_path = self.trace_path.map(|t| CText::new("trace_path", t)).transpose()?;
        Ok(sys::netcl_profile_options {
            trace_path: keep.trace_path.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            records_most: self.records_most,
            ..sys::netcl_profile_options::INIT
        })
    }
}

/// Options: `netcl_roofline_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct RooflineOptions {
    /// efficiency that counts as at the roofline, 1 to 100; 0: 90
    pub threshold_pct: f64,
    /// less than this over the rounds is converged; 0: 0.1
    pub min_improvement_pct: f64,
    /// more activity than this is use, 1 to 100; 0: 5
    pub tensor_core_threshold_pct: f64,
    /// less of both is UNDERUTILIZED, 1 to 100; 0: 60
    pub underutilized_pct: f64,
    /// at least 2; 0: 5
    pub convergence_rounds: u32,
    /// OFF: being at the roofline is no reason to stop
    pub early_stop: Toggle,
}

#[derive(Default)]
pub(crate) struct RooflineOptionsKeep;

impl RooflineOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut RooflineOptionsKeep,
    ) -> Result<sys::netcl_roofline_options> {
        Ok(sys::netcl_roofline_options {
            threshold_pct: self.threshold_pct,
            min_improvement_pct: self.min_improvement_pct,
            tensor_core_threshold_pct: self.tensor_core_threshold_pct,
            underutilized_pct: self.underutilized_pct,
            convergence_rounds: self.convergence_rounds,
            early_stop: self.early_stop.0,
            ..sys::netcl_roofline_options::INIT
        })
    }
}

/// Options: `netcl_ncu_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct NcuOptions<'a> {
    /// part of the kernel's name; NULL: every launch
    pub kernel: Option<&'a str>,
    /// `policy`.
    pub policy: NcuPolicy,
    /// 1: `kernel` is the whole name
    pub exact: bool,
}

#[derive(Default)]
pub(crate) struct NcuOptionsKeep {
    kernel: Option<CText>,
}

impl<'a> NcuOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut NcuOptionsKeep) -> Result<sys::netcl_ncu_options> {
        keep.kernel = self.kernel.map(|t| CText::new("kernel", t)).transpose()?;
        Ok(sys::netcl_ncu_options {
            kernel: keep.kernel.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            policy: self.policy.0,
            exact: self.exact as u32,
            ..sys::netcl_ncu_options::INIT
        })
    }
}

/// Options: `netcl_ceilings_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct CeilingsOptions {
    /// for all probes, the building of their kernels apart; runs that differ much are made again
    /// for up to as long once more; 0: 3 s
    pub budget_ns: u64,
    /// 1: do not take what was measured before
    pub remeasure: bool,
    /// 1: neither take from the disk nor keep there
    pub no_store: bool,
}

#[derive(Default)]
pub(crate) struct CeilingsOptionsKeep;

impl CeilingsOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut CeilingsOptionsKeep,
    ) -> Result<sys::netcl_ceilings_options> {
        Ok(sys::netcl_ceilings_options {
            budget_ns: self.budget_ns,
            remeasure: self.remeasure as u32,
            no_store: self.no_store as u32,
            ..sys::netcl_ceilings_options::INIT
        })
    }
}

/// What a result belongs to. Driver, shape and scalars may differ in an answer, all other members
/// have to be equal. NULL is "".
#[derive(Clone, Copy, Debug, Default)]
pub struct TuningKey<'a> {
    /// name of the kernel or op; must be set
    pub kernel: Option<&'a str>,
    /// something that changes with the source, such as its hash
    pub source: Option<&'a str>,
    /// build flags
    pub flags: Option<&'a str>,
    /// "f32,f32"
    pub dtypes: Option<&'a str>,
    /// `layout`.
    pub layout: Option<&'a str>,
    /// which device; NULL with a device: its own part
    pub part: Option<&'a str>,
    /// NULL with a device: its own driver
    pub driver: Option<&'a str>,
    /// `shape`.
    pub shape: [i64; 24],
    /// `shape_count`.
    pub shape_count: u32,
    /// `scalars_count`.
    pub scalars_count: u32,
    /// Of a kernel: its integer arguments in their order. Those of 1 and more may be near ones, as
    /// extents may; the others have to be equal. Local memory is -1 - bytes, and what is no integer
    /// or too much a hash below 0.
    pub scalars: [i64; 16],
}

#[derive(Default)]
pub(crate) struct TuningKeyKeep {
    kernel: Option<CText>,
    source: Option<CText>,
    flags: Option<CText>,
    dtypes: Option<CText>,
    layout: Option<CText>,
    part: Option<CText>,
    driver: Option<CText>,
}

impl<'a> TuningKey<'a> {
    pub(crate) fn raw(&self, keep: &mut TuningKeyKeep) -> Result<sys::netcl_tuning_key> {
        keep.kernel = self.kernel.map(|t| CText::new("kernel", t)).transpose()?;
        keep.source = self.source.map(|t| CText::new("source", t)).transpose()?;
        keep.flags = self.flags.map(|t| CText::new("flags", t)).transpose()?;
        keep.dtypes = self.dtypes.map(|t| CText::new("dtypes", t)).transpose()?;
        keep.layout = self.layout.map(|t| CText::new("layout", t)).transpose()?;
        keep.part = self.part.map(|t| CText::new("part", t)).transpose()?;
        keep.driver = self.driver.map(|t| CText::new("driver", t)).transpose()?;
        Ok(sys::netcl_tuning_key {
            kernel: keep.kernel.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            source: keep.source.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            flags: keep.flags.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            dtypes: keep.dtypes.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            layout: keep.layout.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            part: keep.part.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            driver: keep.driver.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            shape: self.shape,
            shape_count: self.shape_count,
            scalars_count: self.scalars_count,
            scalars: self.scalars,
            ..sys::netcl_tuning_key::INIT
        })
    }
}

/// One tensor of the record, packed in C order.
#[derive(Clone, Copy, Debug, Default)]
pub struct BenchmarkTensor<'a> {
    /// for messages; NULL: the parameter's name
    pub name: Option<&'a str>,
    /// copied
    pub data: &'a [u8],
    /// `shape`.
    pub shape: [i64; 8],
    /// see `netcl_fill_kind`
    pub a: f64,
    /// `b`.
    pub b: f64,
    /// allowed difference of an output; 0: relative times its rms
    pub absolute: f64,
    /// and relative to its value; 0: 1e-4 f32, 1e-9 f64, 1e-2 f16 ...; with both 0 a float of INOUT
    /// is off by no more than a quarter of the largest change, but for its rounding
    pub relative: f64,
    /// `dtype`.
    pub dtype: Dtype,
    /// `access`.
    pub access: Access,
    /// of IN and INOUT
    pub fill: FillKind,
    /// `rank`.
    pub rank: u32,
    /// 1: outputs agree bit for bit; integers do unless told otherwise
    pub exact: bool,
}

#[derive(Default)]
pub(crate) struct BenchmarkTensorKeep {
    name: Option<CText>,
}

impl<'a> BenchmarkTensor<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut BenchmarkTensorKeep,
    ) -> Result<sys::netcl_benchmark_tensor> {
        keep.name = self.name.map(|t| CText::new("name", t)).transpose()?;
        Ok(sys::netcl_benchmark_tensor {
            name: keep.name.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            data: support::data_ptr(self.data),
            data_size: self.data.len(),
            shape: self.shape,
            a: self.a,
            b: self.b,
            absolute: self.absolute,
            relative: self.relative,
            dtype: self.dtype.0,
            access: self.access.0,
            fill: self.fill.0,
            rank: self.rank,
            exact: self.exact as u32,
            ..sys::netcl_benchmark_tensor::INIT
        })
    }
}

/// Options: `netcl_benchmark_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct BenchmarkOptions<'a> {
    /// NULL: `NETCL_WORKER`, else beside the library; never PATH
    pub worker_path: Option<&'a str>,
    /// the worker's working folder and TMPDIR; NULL: as here
    pub temp_dir: Option<&'a str>,
    /// of the device lock; NULL: one per device in the cache
    pub lock_path: Option<&'a str>,
    /// of a candidate, and until a run of it begins; 0: 60 s
    pub compile_timeout_ns: u64,
    /// of one run of it that began; 0: 2 s
    pub run_timeout_ns: u64,
    /// of the wait for the device; 0: 900 s
    pub lock_timeout_ns: u64,
    /// of the worker, drivers included; 0: 60 s
    pub start_timeout_ns: u64,
    /// of random contents in round 0; the next has seed + 1
    pub seed: u64,
    /// times a candidate is checked, each with its seed; 0: 2
    pub rounds: u32,
    /// for the log and the JSON
    pub worker_id: u32,
    /// OFF: do not hold the device lock while using the device
    pub lock: Toggle,
}

#[derive(Default)]
pub(crate) struct BenchmarkOptionsKeep {
    worker_path: Option<CText>,
    temp_dir: Option<CText>,
    lock_path: Option<CText>,
}

impl<'a> BenchmarkOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut BenchmarkOptionsKeep,
    ) -> Result<sys::netcl_benchmark_options> {
        keep.worker_path = self.worker_path.map(|t| CText::new("worker_path", t)).transpose()?;
        keep.temp_dir = self.temp_dir.map(|t| CText::new("temp_dir", t)).transpose()?;
        keep.lock_path = self.lock_path.map(|t| CText::new("lock_path", t)).transpose()?;
        Ok(sys::netcl_benchmark_options {
            worker_path: keep.worker_path.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            temp_dir: keep.temp_dir.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            lock_path: keep.lock_path.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            compile_timeout_ns: self.compile_timeout_ns,
            run_timeout_ns: self.run_timeout_ns,
            lock_timeout_ns: self.lock_timeout_ns,
            start_timeout_ns: self.start_timeout_ns,
            seed: self.seed,
            rounds: self.rounds,
            worker_id: self.worker_id,
            lock: self.lock.0,
            ..sys::netcl_benchmark_options::INIT
        })
    }
}

/// A candidate. It gets the record's arguments in their order.
#[derive(Clone, Copy, Debug, Default)]
pub struct BenchmarkCandidate<'a> {
    /// in the JSON; NULL: kernel
    pub name: Option<&'a str>,
    /// OpenCL C; NULL: the file at path
    pub source: Option<&'a str>,
    /// `path`.
    pub path: Option<&'a str>,
    /// which kernel of the source
    pub kernel: Option<&'a str>,
    /// runs before each run, untimed; NULL: none
    pub setup_kernel: Option<&'a str>,
    /// as in `netcl_kernel_options`
    pub flags: &'a [&'a str],
    /// "NAME=text", or "NAME"; a macro the source sees
    pub defines: &'a [&'a str],
    /// `global`.
    pub global: [u64; 3],
    /// zeros: netcl's choice, as for a launch
    pub local: [u64; 3],
    /// of setup_kernel, with as many dimensions
    pub setup_global: [u64; 3],
    /// dimensions; 0: 1
    pub global_count: u32,
    /// 1: -cl-fast-relaxed-math
    pub fast_math: bool,
    /// 1: without the macros LOAD STORE ADD SUB MUL DIV RELU
    pub no_preamble: bool,
    /// 1: round the global size up to the local size
    pub round_up: bool,
}

#[derive(Default)]
pub(crate) struct BenchmarkCandidateKeep {
    name: Option<CText>,
    source: Option<CText>,
    path: Option<CText>,
    kernel: Option<CText>,
    setup_kernel: Option<CText>,
    flags: Texts,
    defines: Texts,
}

impl<'a> BenchmarkCandidate<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut BenchmarkCandidateKeep,
    ) -> Result<sys::netcl_benchmark_candidate> {
        keep.name = self.name.map(|t| CText::new("name", t)).transpose()?;
        keep.source = self.source.map(|t| CText::new("source", t)).transpose()?;
        keep.path = self.path.map(|t| CText::new("path", t)).transpose()?;
        keep.kernel = self.kernel.map(|t| CText::new("kernel", t)).transpose()?;
        keep.setup_kernel = self.setup_kernel.map(|t| CText::new("setup_kernel", t)).transpose()?;
        keep.flags.fill("flags", self.flags)?;
        keep.defines.fill("defines", self.defines)?;
        Ok(sys::netcl_benchmark_candidate {
            name: keep.name.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            source: keep.source.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            path: keep.path.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            kernel: keep.kernel.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            setup_kernel: keep.setup_kernel.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            flags: keep.flags.as_ptr(),
            flags_count: support::count("flags", self.flags.len())?,
            defines: keep.defines.as_ptr(),
            defines_count: support::count("defines", self.defines.len())?,
            global: self.global,
            local: self.local,
            setup_global: self.setup_global,
            global_count: self.global_count,
            fast_math: self.fast_math as u32,
            no_preamble: self.no_preamble as u32,
            round_up: self.round_up as u32,
            ..sys::netcl_benchmark_candidate::INIT
        })
    }
}

/// A patience of 0 stands for never with EXHAUSTIVE, else for 4 times the root of the number of
/// valid configurations, at least 96: of a large space more has to be seen. Every strategy goes on
/// until evaluations, patience or budget_ns are spent or nothing is left to try.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchOptions {
    /// `seed`.
    pub seed: u64,
    /// configurations tried at most; 0: all of EXHAUSTIVE, else 512
    pub evaluations: u64,
    /// stop after so many without a better one; 0: see above
    pub patience: u64,
    /// from the first ask on; 0: none for a search, 60 s for a tuner
    pub budget_ns: u64,
    /// of each finalist at most; 0: 30 for a search, 20 for a tuner
    pub samples: u64,
    /// a difference that is worth a change; 0: 0.01
    pub precision: f64,
    /// what is surely this much slower than the best goes; 0: 1.2
    pub drop_factor: f64,
    /// shortest time that the device allows; 0: see `netcl_tuner_run`
    pub roof_ns: f64,
    /// percent of the roof that are good enough, 1 to 1000; 0: 90
    pub threshold_pct: f64,
    /// `strategy`.
    pub strategy: SearchStrategy,
}

#[derive(Default)]
pub(crate) struct SearchOptionsKeep;

impl SearchOptions {
    pub(crate) fn raw(&self, _keep: &mut SearchOptionsKeep) -> Result<sys::netcl_search_options> {
        Ok(sys::netcl_search_options {
            seed: self.seed,
            evaluations: self.evaluations,
            patience: self.patience,
            budget_ns: self.budget_ns,
            samples: self.samples,
            precision: self.precision,
            drop_factor: self.drop_factor,
            roof_ns: self.roof_ns,
            threshold_pct: self.threshold_pct,
            strategy: self.strategy.0,
            ..sys::netcl_search_options::INIT
        })
    }
}

/// Options: `netcl_tuner_options`. Zero means the default everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct TunerOptions<'a> {
    /// of each entry; NULL: defaults
    pub search: Option<&'a SearchOptions>,
    /// NULL: the one of this user
    pub database: Option<&'a TuningDatabase>,
    /// runs before the first sample; 0: 3
    pub warmup_count: u64,
    /// a driver may compile until a run begins; 0: 60 s
    pub compile_limit_ns: u64,
    /// of one run that began; 0: 2 s or 20 times the best
    pub run_limit_ns: u64,
    /// 1: candidates run in this process, not in the worker
    pub in_process: bool,
    /// 1: measure again what is stored
    pub force: bool,
}

#[derive(Default)]
pub(crate) struct TunerOptionsKeep {
    search: (Option<sys::netcl_search_options>, SearchOptionsKeep),
}

impl<'a> TunerOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut TunerOptionsKeep) -> Result<sys::netcl_tuner_options> {
        if let Some(inner) = self.search {
            keep.search.0 = Some(inner.raw(&mut keep.search.1)?);
        }
        Ok(sys::netcl_tuner_options {
            search: keep.search.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            database: self.database.map_or(ptr::null_mut(), |h| h.as_raw()),
            warmup_count: self.warmup_count,
            compile_limit_ns: self.compile_limit_ns,
            run_limit_ns: self.run_limit_ns,
            in_process: self.in_process as u32,
            force: self.force as u32,
            ..sys::netcl_tuner_options::INIT
        })
    }
}

/// What is tried for a kernel. NULL lists are filled in: local sizes are powers of two within the
/// limits of device and kernel, tile sizes 8, 16 and 32 and unroll factors 1, 2, 4 and 8, these two
/// only when the source uses their macro. What runs without tuning is tried first and is the
/// default, whether it is in the space or not: the source with no macro set and the local size that
/// a launch takes. The others have to give what it gives, and nothing wins that is not surely
/// faster. Where the source is no program without a macro, the first value of each stands for it.
/// Where the space gives the work size, a launch of the size that was tuned runs with that of the
/// winner, and other sizes take nothing of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelTuning<'a> {
    /// rows of global_count extents
    pub local_sizes: &'a [u64],
    /// values of tile_macro
    pub tile_sizes: &'a [i64],
    /// values of unroll_macro
    pub unroll_factors: &'a [i64],
    /// NULL: TILE_SIZE
    pub tile_macro: Option<&'a str>,
    /// NULL: UNROLL_FACTOR
    pub unroll_macro: Option<&'a str>,
    /// further macros with values, constraints and a work size
    pub space: Option<&'a Space>,
    /// `launch`.
    pub launch: Option<&'a LaunchOptions<'a>>,
    /// what a launch has to do at least; NULL: launch-\>work
    pub work: Option<&'a Work>,
}

#[derive(Default)]
pub(crate) struct KernelTuningKeep {
    tile_macro: Option<CText>,
    unroll_macro: Option<CText>,
    launch: (Option<sys::netcl_launch_options>, LaunchOptionsKeep),
    work: (Option<sys::netcl_work>, WorkKeep),
}

impl<'a> KernelTuning<'a> {
    pub(crate) fn raw(&self, keep: &mut KernelTuningKeep) -> Result<sys::netcl_kernel_tuning> {
        keep.tile_macro = self.tile_macro.map(|t| CText::new("tile_macro", t)).transpose()?;
        keep.unroll_macro = self.unroll_macro.map(|t| CText::new("unroll_macro", t)).transpose()?;
        if let Some(inner) = self.launch {
            keep.launch.0 = Some(inner.raw(&mut keep.launch.1)?);
        }
        if let Some(inner) = self.work {
            keep.work.0 = Some(inner.raw(&mut keep.work.1)?);
        }
        Ok(sys::netcl_kernel_tuning {
            local_sizes: support::slice_ptr(self.local_sizes) as *const _,
            local_sizes_count: support::count("local_sizes", self.local_sizes.len())?,
            tile_sizes: support::slice_ptr(self.tile_sizes) as *const _,
            tile_sizes_count: support::count("tile_sizes", self.tile_sizes.len())?,
            unroll_factors: support::slice_ptr(self.unroll_factors) as *const _,
            unroll_factors_count: support::count("unroll_factors", self.unroll_factors.len())?,
            tile_macro: keep.tile_macro.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            unroll_macro: keep.unroll_macro.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            space: self.space.map_or(ptr::null_mut(), |h| h.as_raw()),
            launch: keep.launch.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            work: keep.work.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            ..sys::netcl_kernel_tuning::INIT
        })
    }
}
