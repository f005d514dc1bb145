// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(unused_imports, unused_unsafe, clippy::too_many_arguments)]

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{check, Error, Result, Scalar, Timeout};
use std::mem::MaybeUninit;
use std::os::raw::c_void;
use std::ptr;
use std::fmt;
use std::ptr::NonNull;

/// Calls of ops that were recorded, in their order. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
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
    /// Makes an empty graph that records calls on a device, while they run.
    ///
    /// Calls `netcl_graph_create`.
    pub fn new(device: &Device) -> Result<Graph> {
        let mut graph_out = ptr::null_mut();
        check(unsafe { sys::netcl_graph_create(device.as_raw(), &mut graph_out) })?;
        Ok(unsafe { Graph::take(graph_out)? })
    }

    /// Forgets all calls, and lets go of their tensors.
    ///
    /// Calls `netcl_graph_clear`.
    pub fn clear(&self) -> Result<()> {
        check(unsafe { sys::netcl_graph_clear(self.as_raw()) })
    }

    /// Tells what a graph holds.
    ///
    /// Calls `netcl_graph_get_info`.
    pub fn info(&self) -> Result<GraphInfo> {
        let mut info = MaybeUninit::<sys::netcl_graph_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_graph_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(GraphInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the gradients of outputs with respect to inputs, summed over all outputs: reverse mode
    /// differentiation of the recorded calls. Tensors stand for the values that they have now: that
    /// of an input which a recorded call wrote is the gradient of what that call gave. A gradient
    /// has the shape and dtype of its input. The calls that work it out are recorded as well
    /// (unless options-\>consume is 1), so that gradients of gradients are known where those have
    /// derivatives.
    ///
    /// INVALID_ARGUMENT when no output depends on an input, an output without a seed has more or
    /// fewer elements than one, an input or an output has no float dtype, elements of an input
    /// share memory, or a value that is needed was overwritten since: the message names the call
    /// that needs it and the one that wrote it, with their numbers. UNSUPPORTED when what lies
    /// between has no derivative; the message names the call.
    ///
    /// Calls `netcl_graph_add_gradients`.
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
    ///
    /// Calls `netcl_graph_add_gradients`.
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
}
