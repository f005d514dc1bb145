// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(dead_code, unused_imports, clippy::needless_return)]

use super::*;
use crate::{support, Error, Result};
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Receives records; see `netcl_log_set_callback`. The record is valid during the call only.
pub type LogFn = Box<dyn Fn(&LogRecord) + Send + Sync>;

pub(crate) unsafe extern "C" fn log_fn_call(
    record: *const sys::netcl_log_record,
    user_data: *mut c_void,
) {
    let function = &*(user_data as *const LogFn);
    let done = support::caught(|| {
        function(&LogRecord::from_raw(&*record))
    });
    done.unwrap_or(())
}

pub(crate) unsafe extern "C" fn log_fn_destroy(user_data: *mut c_void) {
    let function = Box::from_raw(user_data as *mut LogFn);
    support::caught(|| drop(function));
}

/// Such a function during one call, out of which its panic or error comes.
pub(crate) struct LogFnScoped<'a> {
    pub(crate) function: &'a mut (dyn FnMut(&LogRecord) + 'a),
    pub(crate) panic: Option<Box<dyn std::any::Any + Send>>,
    pub(crate) error: Option<Error>,
}

pub(crate) unsafe extern "C" fn log_fn_call_scoped(
    record: *const sys::netcl_log_record,
    user_data: *mut c_void,
) {
    let scoped = &mut *(user_data as *mut LogFnScoped<'_>);
    if scoped.panic.is_some() {
        return;
    }
    let done = catch_unwind(AssertUnwindSafe(|| {
        (scoped.function)(&LogRecord::from_raw(&*record))
    }));
    scoped.panic = done.err();
}

/// Enqueues the work that is timed, on `queue`. Returns `NETCL_OK` or what failed.
pub type WorkFn = Box<dyn Fn(&Queue) -> Result<()> + Send + Sync>;

pub(crate) unsafe extern "C" fn work_fn_call(
    queue: *mut sys::netcl_queue,
    user_data: *mut c_void,
) -> i32 {
    let function = &*(user_data as *const WorkFn);
    let done = support::caught(|| {
        function(&std::mem::ManuallyDrop::new(Queue::from_raw(queue)))
    });
    done.map_or(sys::NETCL_ERROR_CANCELLED, |value| support::status_of(value, None))
}

pub(crate) unsafe extern "C" fn work_fn_destroy(user_data: *mut c_void) {
    let function = Box::from_raw(user_data as *mut WorkFn);
    support::caught(|| drop(function));
}

/// Such a function during one call, out of which its panic or error comes.
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
