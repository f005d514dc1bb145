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

/// Calls of ops that were recorded, in their order. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_graph")]
#[repr(transparent)]
pub struct Graph {
    raw: NonNull<sys::netcl_graph>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Graph {}
unsafe impl Sync for Graph {}

impl Graph {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_graph) -> Graph {
        Graph { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_graph {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_graph_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_graph {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_graph) -> Option<Graph> {
        NonNull::new(raw).map(|raw| Graph { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_graph) -> Result<Graph> {
        Graph::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Graph> {
        check(unsafe { sys::netcl_graph_retain(self.as_raw()) })?;
        Ok(Graph { raw: self.raw })
    }
}

impl Clone for Graph {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Graph {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        unsafe { sys::netcl_graph_release(self.as_raw()) }
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Graph {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Graph) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Graph {}

impl Graph {
    /// Makes an empty graph that records calls on a device. Calls that a capture records are
    /// checked, and do not run: their results have shapes and no content, views can be made of
    /// them, and calls of the same graph can read and write them until it is cleared; whatever else
    /// would read or write their content is [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    /// `run.waits` and `run.event` are refused there. [`Graph::compile()`] makes a capture ready to
    /// run.
    #[doc(alias = "netcl_graph_create")]
    pub fn new(device: &Device) -> Result<Graph> {
        let mut graph_out = ptr::null_mut();
        check(unsafe { sys::netcl_graph_create(device.as_raw(), ptr::null(), &mut graph_out) })?;
        Ok(unsafe { Graph::take(graph_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_graph_create")]
    pub fn with_options(device: &Device, options: GraphOptions) -> Result<Graph> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut graph_out = ptr::null_mut();
        check(unsafe { sys::netcl_graph_create(device.as_raw(), &options_raw, &mut graph_out) })?;
        Ok(unsafe { Graph::take(graph_out)? })
    }

    /// Forgets all calls, and lets go of their tensors. A graph made from a function drops its
    /// forms; runs that have begun end as they began.
    #[doc(alias = "netcl_graph_clear")]
    pub fn clear(&self) -> Result<()> {
        check(unsafe { sys::netcl_graph_clear(self.as_raw()) })
    }

    /// Makes a graph that is run with inputs of any number, dtypes and shapes. For inputs that are
    /// new in these, [`Graph::run()`], [`Graph::evaluate()`] and [`Graph::compile()`] call the
    /// function, which records its calls into a capture, and compile that as [`Graph::compile()`]
    /// does: this is a form of the graph. Forms are kept, and the one whose use lies back farthest
    /// goes where there are more than `options.forms_most`. Inputs without gaps in another order of
    /// dimensions than C order, such as column-major ones, have a form of their own; all others are
    /// copied to C order where they do not lie so. Of several threads with the same new inputs one
    /// compiles and the others wait for it, and get its failure where it fails; those whose form is
    /// there wait for nobody.
    ///
    /// Tensors that the function takes from elsewhere, such as parameters, are kept by the form,
    /// and read and written by each run; numbers are as they were recorded. [`Graph::clear()`]
    /// makes the function record again. Calls are recorded in the graph that the function gets:
    /// `run.graph` and [`Graph::add_gradients()`] refuse this one with
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    ///
    /// * `outputs`: how many outputs the function gives, up to [`LIST_MAX`]
    #[doc(alias = "netcl_graph_create_from_function")]
    pub fn from_function<R: Into<Tensors>>(
        device: &Device,
        function: impl Fn(&GraphCall<'_>) -> Result<R> + Send + Sync + 'static,
        outputs: u32,
    ) -> Result<Graph> {
        let mut graph_out = ptr::null_mut();
        let function_kept: GraphFn = Box::new(move |call: &GraphCall<'_>| function(call).map(Into::into));
        let function_raw = Box::into_raw(Box::new(function_kept)) as *mut c_void;
        check(unsafe {
            sys::netcl_graph_create_from_function(
                device.as_raw(),
                Some(graph_fn_call),
                function_raw,
                Some(graph_fn_destroy),
                outputs,
                ptr::null(),
                &mut graph_out,
            )
        })?;
        Ok(unsafe { Graph::take(graph_out)? })
    }

    /// As [`Self::from_function`], with options.
    #[doc(alias = "netcl_graph_create_from_function")]
    pub fn from_function_with<R: Into<Tensors>>(
        device: &Device,
        function: impl Fn(&GraphCall<'_>) -> Result<R> + Send + Sync + 'static,
        outputs: u32,
        options: GraphFunctionOptions,
    ) -> Result<Graph> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut graph_out = ptr::null_mut();
        let function_kept: GraphFn = Box::new(move |call: &GraphCall<'_>| function(call).map(Into::into));
        let function_raw = Box::into_raw(Box::new(function_kept)) as *mut c_void;
        check(unsafe {
            sys::netcl_graph_create_from_function(
                device.as_raw(),
                Some(graph_fn_call),
                function_raw,
                Some(graph_fn_destroy),
                outputs,
                &options_raw,
                &mut graph_out,
            )
        })?;
        Ok(unsafe { Graph::take(graph_out)? })
    }

    /// Tells what a graph holds. While another thread compiles it, both step_count and ready_count
    /// are 0 at first, then ready_count of step_count steps are done. Of a graph made from a
    /// function it tells of all forms together, with those that are being compiled: planned_bytes
    /// and live_bytes are those of the form with the most, the others are sums.
    #[doc(alias = "netcl_graph_get_info")]
    pub fn info(&self) -> Result<GraphInfo> {
        let mut info = MaybeUninit::<sys::netcl_graph_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_graph_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(GraphInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the gradients of outputs with respect to inputs, summed over all outputs: reverse mode
    /// differentiation of the recorded calls. Tensors stand for the values that they have now: that
    /// of an input which a recorded call wrote is the gradient of what that call gave; of one which
    /// others wrote, it is that by all that read it since. A gradient has the shape and dtype of
    /// its input. The calls that work it out are recorded as well (unless `options.consume` is
    /// true), so that gradients of gradients are known where those have derivatives. Memory of the
    /// caller that was wrapped twice counts as two variables.
    ///
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when no output depends on an input, an output
    /// without a seed has more or fewer elements than one, an input or an output has no float
    /// dtype, elements of an input share memory, or a value that is needed was overwritten since:
    /// the message names the call that needs it and the one that wrote it, with their numbers. So
    /// it is when an output depends on what the memory of an input held before a write that is not
    /// recorded, which may have left it there. [`UNSUPPORTED`](Status::UNSUPPORTED) when what lies
    /// between has no derivative; the message names the call.
    #[doc(alias = "netcl_graph_add_gradients")]
    pub fn add_gradients(
        &self,
        outputs: &[&AnyTensor],
        inputs: &[&AnyTensor],
    ) -> Result<Vec<AnyTensor>> {
        let mut outputs_raw = Pointers::default();
        outputs_raw.fill(outputs.iter().map(|h| h.as_raw()));
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut gradients_out = vec![ptr::null_mut(); inputs.len()];
        check(unsafe {
            sys::netcl_graph_add_gradients(
                self.as_raw(),
                outputs_raw.as_ptr(),
                support::count("outputs", outputs.len())?,
                inputs_raw.as_ptr(),
                support::count("inputs", inputs.len())?,
                ptr::null(),
                gradients_out.as_mut_ptr(),
            )
        })?;
        let gradients = gradients_out.into_iter().map(|h| unsafe { AnyTensor::take(h) });
        let gradients = gradients.collect::<Result<Vec<_>>>()?;
        Ok(gradients)
    }

    /// As [`Self::add_gradients`], with options.
    #[doc(alias = "netcl_graph_add_gradients")]
    pub fn add_gradients_with(
        &self,
        outputs: &[&AnyTensor],
        inputs: &[&AnyTensor],
        options: GradientsOptions<'_>,
    ) -> Result<Vec<AnyTensor>> {
        let mut outputs_raw = Pointers::default();
        outputs_raw.fill(outputs.iter().map(|h| h.as_raw()));
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut gradients_out = vec![ptr::null_mut(); inputs.len()];
        check(unsafe {
            sys::netcl_graph_add_gradients(
                self.as_raw(),
                outputs_raw.as_ptr(),
                support::count("outputs", outputs.len())?,
                inputs_raw.as_ptr(),
                support::count("inputs", inputs.len())?,
                &options_raw,
                gradients_out.as_mut_ptr(),
            )
        })?;
        options.finish(options_keep);
        let gradients = gradients_out.into_iter().map(|h| unsafe { AnyTensor::take(h) });
        let gradients = gradients.collect::<Result<Vec<_>>>()?;
        Ok(gradients)
    }

    /// Makes a capture ready to run: builds every kernel, plans the memory of all values, and keeps
    /// the commands. `inputs` are the tensors that a run gets others for; their content is not
    /// read. Other tensors with memory that the calls read, such as parameters, are read again by
    /// each run, and those that they write by `run.into` are written by each run. `outputs` are the
    /// values that a run gives. Calls that neither an output nor such a tensor depends on are left
    /// out, and equal calls are done once. Copies of whole values are left out where the calls
    /// behind them can work with the value itself, and values of up to 64 KiB that depend on
    /// nothing are worked out here, once. Elementwise calls are done within those that read their
    /// results, where at most two kernels then compute a value; those that read the same tensors,
    /// or what others of them give, are one kernel with several results, where values do not need
    /// more memory at a time for it. What is added to a product or a convolution of floats as its
    /// epilogue would add it, and an activation, are done with it, and so is the
    /// [`op::batchnorm()`] of inference behind a convolution that has no epilogue: of f16 or bf16,
    /// where it may have a bias, and on CPUs of f32 or f64. Values have the bits that they would
    /// have one by one, with two exceptions: f32 on a device whose quotients are not rounded
    /// correctly (CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT); and a product or convolution of f16 or
    /// bf16, which is not rounded before a bias, a residual, a normalisation or an activation other
    /// than relu that is done with it, so that the result is that of f32, rounded once. With `fuse`
    /// OFF all bits are kept.
    ///
    /// From here on the graph records nothing more, until [`Graph::clear()`] empties it: calls into
    /// it are [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT), also while it is compiled. Compiling
    /// it once more is [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT), and so is an empty graph, a
    /// tape, an input that no output depends on, that a call writes or whose elements share memory,
    /// a call that reads elements of an input's memory that are not known to be the input's, and an
    /// output that is no value of the graph.
    ///
    /// Of a graph made from a function this makes the form for such inputs, where it is not there
    /// yet: later runs find it. `outputs` is empty. A broadcast of one element will do as an input.
    #[doc(alias = "netcl_graph_compile")]
    pub fn compile(&self, inputs: &[&AnyTensor], outputs: &[&AnyTensor]) -> Result<()> {
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut outputs_raw = Pointers::default();
        outputs_raw.fill(outputs.iter().map(|h| h.as_raw()));
        check(unsafe {
            sys::netcl_graph_compile(
                self.as_raw(),
                inputs_raw.as_ptr(),
                support::count("inputs", inputs.len())?,
                outputs_raw.as_ptr(),
                support::count("outputs", outputs.len())?,
                ptr::null(),
            )
        })
    }

    /// As [`Self::compile`], with options.
    #[doc(alias = "netcl_graph_compile")]
    pub fn compile_with(
        &self,
        inputs: &[&AnyTensor],
        outputs: &[&AnyTensor],
        options: GraphCompileOptions,
    ) -> Result<()> {
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut outputs_raw = Pointers::default();
        outputs_raw.fill(outputs.iter().map(|h| h.as_raw()));
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        check(unsafe {
            sys::netcl_graph_compile(
                self.as_raw(),
                inputs_raw.as_ptr(),
                support::count("inputs", inputs.len())?,
                outputs_raw.as_ptr(),
                support::count("outputs", outputs.len())?,
                &options_raw,
            )
        })
    }

    /// Enqueues the calls of a compiled graph, for other inputs, without checking and choosing
    /// anew. Inputs and outputs have the shapes and dtypes of those that [`Graph::compile()`] got,
    /// in any strides: those that it got are fastest, others are copied. A graph made from a
    /// function takes inputs of any shapes and dtypes, and outputs of those that the function
    /// gives. A new combination of strides is made ready at its first run, on OpenCL devices also
    /// one of offsets modulo mem_base_align_bytes; the last 8 are kept. Values that are no outputs
    /// lie in memory of the device's persistent pool for the time of the run.
    ///
    /// `run.queue`, `run.waits` and `run.event` are those of all commands together; `run.into` and
    /// `run.graph` are `None`. Any number of threads may run a graph at a time; runs that write the
    /// same tensors are ordered as other commands are.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when a shape, dtype, device or count differs,
    /// a tensor is a value of a capture, an input shares memory with a tensor that the calls write,
    /// or an output with an input, with another output or with a tensor that the calls work with.
    /// Kernels of the caller get memory of the sizes with which they were recorded.
    #[doc(alias = "netcl_graph_run")]
    pub fn run(&self, inputs: &[&AnyTensor], outputs: &[&AnyTensor]) -> Result<()> {
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut outputs_raw = Pointers::default();
        outputs_raw.fill(outputs.iter().map(|h| h.as_raw()));
        check(unsafe {
            sys::netcl_graph_run(
                self.as_raw(),
                inputs_raw.as_ptr(),
                support::count("inputs", inputs.len())?,
                outputs_raw.as_ptr(),
                support::count("outputs", outputs.len())?,
                ptr::null(),
            )
        })
    }

    /// As [`Self::run`], with options.
    #[doc(alias = "netcl_graph_run")]
    pub fn run_with(
        &self,
        inputs: &[&AnyTensor],
        outputs: &[&AnyTensor],
        run: RunOptions<'_>,
    ) -> Result<()> {
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut outputs_raw = Pointers::default();
        outputs_raw.fill(outputs.iter().map(|h| h.as_raw()));
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        check(unsafe {
            sys::netcl_graph_run(
                self.as_raw(),
                inputs_raw.as_ptr(),
                support::count("inputs", inputs.len())?,
                outputs_raw.as_ptr(),
                support::count("outputs", outputs.len())?,
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Runs a compiled graph as [`Graph::run()`] does, with new tensors as outputs.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when the graph gives no outputs; otherwise as
    /// [`Graph::run()`].
    #[doc(alias = "netcl_graph_evaluate")]
    pub fn evaluate(&self, inputs: &[&AnyTensor]) -> Result<Vec<AnyTensor>> {
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let inputs_count = support::count("inputs", inputs.len())?;
        let text = support::read_array(ptr::null_mut(), |place, room, length| unsafe {
            sys::netcl_graph_evaluate(
                self.as_raw(),
                inputs_raw.as_ptr(),
                inputs_count,
                ptr::null(),
                place as *mut _,
                room,
                length,
            )
        })?;
        let outputs = text.into_iter().map(|h| unsafe { AnyTensor::take(h) });
        let outputs = outputs.collect::<Result<Vec<_>>>()?;
        Ok(outputs)
    }

    /// As [`Self::evaluate`], with options.
    #[doc(alias = "netcl_graph_evaluate")]
    pub fn evaluate_with(
        &self,
        inputs: &[&AnyTensor],
        run: RunOptions<'_>,
    ) -> Result<Vec<AnyTensor>> {
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let inputs_count = support::count("inputs", inputs.len())?;
        let text = support::read_array(ptr::null_mut(), |place, room, length| unsafe {
            sys::netcl_graph_evaluate(
                self.as_raw(),
                inputs_raw.as_ptr(),
                inputs_count,
                &run_raw,
                place as *mut _,
                room,
                length,
            )
        })?;
        run.finish(run_keep);
        let outputs = text.into_iter().map(|h| unsafe { AnyTensor::take(h) });
        let outputs = outputs.collect::<Result<Vec<_>>>()?;
        Ok(outputs)
    }

    /// Tells what is in a graph: its calls with the shapes of what they read and write; of a
    /// compiled one the steps, what was joined in them, why others were not, where values lie in
    /// memory, and behind how many commands which gradients go to a reducer; of one made from a
    /// function all this for each form, beginning with the one that was used last.
    #[doc(alias = "netcl_graph_explain")]
    pub fn explain(&self, format: GraphFormat) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_graph_explain(self.as_raw(), format.0, place as *mut _, room, length)
        })?;
        Ok(text)
    }
}
