// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(dead_code, unused_imports)]

use super::*;
use crate::support::{lent, lent_list, lent_refs};

/// A call of a primitive, as its function sees it: valid while that runs.
#[derive(Debug)]
pub struct PrimitiveCall<'a> {
    raw: &'a sys::netcl_primitive_call,
    run_waits: Vec<&'a Event>,
}

impl<'a> PrimitiveCall<'a> {
    /// What C lends while the function runs: all pointers are good as long as `raw`.
    pub(crate) unsafe fn lent(raw: &'a sys::netcl_primitive_call) -> PrimitiveCall<'a> {
        let run_waits = lent_refs((*raw.run).waits, (*raw.run).waits_count as usize);
        PrimitiveCall { raw, run_waits }
    }

    /// of the call; borrowed
    pub fn inputs(&self) -> &'a [AnyTensor] {
        unsafe { lent_list(self.raw.inputs, self.raw.inputs_count as usize) }
    }

    /// of the attributes, in the order of their registration
    pub fn values(&self) -> &'a [f64] {
        unsafe { lent_list(self.raw.values, self.raw.values_count as usize) }
    }

    /// the gradient of what was made of the result, borrowed; `None`: the result is asked for
    pub fn grad(&self) -> Option<&'a AnyTensor> {
        unsafe { lent(&self.raw.grad) }
    }

    /// the result, borrowed; `None` with grad
    pub fn out(&self) -> Option<&'a AnyTensor> {
        unsafe { lent(&self.raw.out) }
    }

    /// queue, waits and graph of the call, to be handed on to each op and launch
    pub fn run(&self) -> RunOptions<'_> {
        let raw = unsafe { &*self.raw.run };
        RunOptions {
            queue: unsafe { lent(&raw.queue) },
            into: unsafe { lent(&raw.into) },
            waits: &self.run_waits,
            graph: unsafe { lent(&raw.graph) },
            ..Default::default()
        }
    }

    /// gradients that are asked for: bit i for inputs\[i\]
    pub fn wanted(&self) -> u64 {
        self.raw.wanted
    }
}

/// A call of a graph's function: valid while that runs.
#[derive(Debug)]
pub struct GraphCall<'a> {
    raw: &'a sys::netcl_graph_call,
    run_waits: Vec<&'a Event>,
}

impl<'a> GraphCall<'a> {
    /// What C lends while the function runs: all pointers are good as long as `raw`.
    pub(crate) unsafe fn lent(raw: &'a sys::netcl_graph_call) -> GraphCall<'a> {
        let run_waits = lent_refs((*raw.run).waits, (*raw.run).waits_count as usize);
        GraphCall { raw, run_waits }
    }

    /// stand for those of a run, with their dtypes and shapes and without content: values of the
    /// capture; borrowed
    pub fn inputs(&self) -> &'a [AnyTensor] {
        unsafe { lent_list(self.raw.inputs, self.raw.inputs_count as usize) }
    }

    /// `run.graph` is the capture that records, to be handed on to each op and launch
    pub fn run(&self) -> RunOptions<'_> {
        let raw = unsafe { &*self.raw.run };
        RunOptions {
            queue: unsafe { lent(&raw.queue) },
            into: unsafe { lent(&raw.into) },
            waits: &self.run_waits,
            graph: unsafe { lent(&raw.graph) },
            ..Default::default()
        }
    }
}
