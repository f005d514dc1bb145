// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(dead_code, unused_imports, clippy::needless_return)]

use super::*;
use crate::recording::Entered;
use crate::{support, Error, Result};
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Receives records; see [`log::set_callback()`]. The record is valid during the call only.
pub type LogFn = Box<dyn Fn(&LogRecord) + Send + Sync>;

pub(crate) unsafe extern "C" fn log_fn_call(
    record: *const sys::netcl_log_record,
    user_data: *mut c_void,
) {
    let function = &*(user_data as *const LogFn);
    let _entered = Entered::lent(std::ptr::null());
    let done = support::caught(|| {
        function(&LogRecord::from_raw(&*record))
    });
    done.unwrap_or(())
}

pub(crate) unsafe extern "C" fn log_fn_destroy(user_data: *mut c_void) {
    let function = Box::from_raw(user_data as *mut LogFn);
    support::caught(|| drop(function));
}

/// Makes the result of a primitive, or gradients of it, by calling ops and launching kernels.
/// Returns `tensors`, those that are made: the result in tensors\[0\], or the gradient of
/// inputs\[i\], of that input's shape and dtype, in tensors\[i\]; one that is left `None` is zero.
/// Inputs are not written to. Called on the thread that calls the primitive or asks for gradients,
/// and on several threads at a time.
pub type PrimitiveFn = Box<dyn Fn(&PrimitiveCall<'_>) -> Result<Tensors> + Send + Sync>;

pub(crate) unsafe extern "C" fn primitive_fn_call(
    call: *const sys::netcl_primitive_call,
    tensors: *mut *mut sys::netcl_tensor,
    user_data: *mut c_void,
) -> i32 {
    let function = &*(user_data as *const PrimitiveFn);
    let _entered = Entered::lent((*call).run);
    support::answered(|| {
        let made = function(&PrimitiveCall::lent(&*call))?;
        made.give("tensors", tensors, (*call).tensors_count as usize)
    })
}

pub(crate) unsafe extern "C" fn primitive_fn_destroy(user_data: *mut c_void) {
    let function = Box::from_raw(user_data as *mut PrimitiveFn);
    support::caught(|| drop(function));
}

/// Records what a graph computes, by calling ops and launching kernels with `call.run`, and
/// [`Graph::add_gradients()`] with `call.run.graph`. Returns `outputs`, all of its values. Called
/// on a thread that runs or compiles the graph, and on several threads at a time. It may run other
/// graphs, whose results are constants, and not its own. A thread that it waits for must not run
/// its graph.
pub type GraphFn = Box<dyn Fn(&GraphCall<'_>) -> Result<Tensors> + Send + Sync>;

pub(crate) unsafe extern "C" fn graph_fn_call(
    call: *const sys::netcl_graph_call,
    outputs: *mut *mut sys::netcl_tensor,
    user_data: *mut c_void,
) -> i32 {
    let function = &*(user_data as *const GraphFn);
    let _entered = Entered::lent((*call).run);
    support::answered(|| {
        let made = function(&GraphCall::lent(&*call))?;
        made.give("outputs", outputs, (*call).outputs_count as usize)
    })
}

pub(crate) unsafe extern "C" fn graph_fn_destroy(user_data: *mut c_void) {
    let function = Box::from_raw(user_data as *mut GraphFn);
    support::caught(|| drop(function));
}

/// Such a function during one call, out of which its panic or error comes. See `netcl_work_fn`.
pub(crate) struct WorkFnScoped<'a> {
    pub(crate) function: &'a mut (dyn FnMut(&Queue) -> Result<()> + 'a),
    pub(crate) panic: Option<Box<dyn std::any::Any + Send>>,
    pub(crate) error: Option<Error>,
}

pub(crate) unsafe extern "C" fn work_fn_call_scoped(
    queue: *mut sys::netcl_queue,
    user_data: *mut c_void,
) -> i32 {
    let scoped = &mut *(user_data as *mut WorkFnScoped<'_>);
    if scoped.panic.is_some() {
        return sys::NETCL_ERROR_CANCELLED;
    }
    let done = catch_unwind(AssertUnwindSafe(|| {
        (scoped.function)(&std::mem::ManuallyDrop::new(Queue::from_raw(queue)))
    }));
    match done {
        Ok(value) => support::status_of(value, Some(&mut scoped.error)),
        Err(panic) => {
            scoped.panic = Some(panic);
            sys::NETCL_ERROR_CANCELLED
        }
    }
}
