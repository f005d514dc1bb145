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

/// One rank's block of a tensor that lies on all ranks of a group. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_sharded")]
#[repr(transparent)]
pub struct Sharded {
    raw: NonNull<sys::netcl_sharded>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Sharded {}
unsafe impl Sync for Sharded {}

impl Sharded {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_sharded) -> Sharded {
        Sharded { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_sharded {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_sharded_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_sharded {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_sharded) -> Option<Sharded> {
        NonNull::new(raw).map(|raw| Sharded { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_sharded) -> Result<Sharded> {
        Sharded::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Sharded> {
        check(unsafe { sys::netcl_sharded_retain(self.as_raw()) })?;
        Ok(Sharded { raw: self.raw })
    }
}

impl Clone for Sharded {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Sharded {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Sharded {
    fn drop(&mut self) {
        unsafe { sys::netcl_sharded_release(self.as_raw()) }
    }
}

impl fmt::Debug for Sharded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sharded({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Sharded {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Sharded) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Sharded {}

impl Sharded {
    /// Makes a sharded tensor of the blocks that the ranks have: `block` is this rank's, of the
    /// shape that [`Group::describe_block()`] gives; nothing is copied. Shape, dtype and sharding
    /// are equal on all ranks.
    ///
    /// * `block`: any strides, each element in a place of its own; stays in use
    #[doc(alias = "netcl_sharded_create")]
    pub fn new(
        group: &Group,
        block: impl AsRef<AnyTensor>,
        shape: impl Into<Shape>,
    ) -> Result<Sharded> {
        let block = block.as_ref();
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        let mut sharded_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_create(
                group.as_raw(),
                block.as_raw(),
                shape.rank(),
                shape_raw.as_ptr(),
                ptr::null(),
                &mut sharded_out,
            )
        })?;
        Ok(unsafe { Sharded::take(sharded_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_sharded_create")]
    pub fn with_options(
        group: &Group,
        block: impl AsRef<AnyTensor>,
        shape: impl Into<Shape>,
        options: ShardingOptions<'_>,
    ) -> Result<Sharded> {
        let block = block.as_ref();
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut sharded_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_create(
                group.as_raw(),
                block.as_raw(),
                shape.rank(),
                shape_raw.as_ptr(),
                &options_raw,
                &mut sharded_out,
            )
        })?;
        Ok(unsafe { Sharded::take(sharded_out)? })
    }

    /// Makes a sharded tensor of one that rank `root` has: each rank gets its block from there.
    ///
    /// * `whole`: may be `None` on the other ranks, where it is not read
    #[doc(alias = "netcl_sharded_create_from_root")]
    pub fn from_root(group: &Group, whole: Option<&AnyTensor>, root: u32) -> Result<Sharded> {
        let mut sharded_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_create_from_root(
                group.as_raw(),
                whole.map_or(ptr::null_mut(), |h| h.as_raw()),
                root,
                ptr::null(),
                ptr::null(),
                &mut sharded_out,
            )
        })?;
        Ok(unsafe { Sharded::take(sharded_out)? })
    }

    /// As [`Self::from_root`], with options.
    #[doc(alias = "netcl_sharded_create_from_root")]
    pub fn from_root_with(
        group: &Group,
        whole: Option<&AnyTensor>,
        root: u32,
        options: ShardingOptions<'_>,
        run: RunOptions<'_>,
    ) -> Result<Sharded> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut sharded_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_create_from_root(
                group.as_raw(),
                whole.map_or(ptr::null_mut(), |h| h.as_raw()),
                root,
                &options_raw,
                &run_raw,
                &mut sharded_out,
            )
        })?;
        run.finish(run_keep);
        Ok(unsafe { Sharded::take(sharded_out)? })
    }

    /// Gives the facts of a sharded tensor.
    #[doc(alias = "netcl_sharded_get_info")]
    pub fn info(&self) -> Result<ShardedInfo> {
        let mut info = MaybeUninit::<sys::netcl_sharded_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_sharded_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(ShardedInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the block of this rank, whose memory it shares: what is written there is written to
    /// the sharded tensor.
    #[doc(alias = "netcl_sharded_get_block")]
    pub fn block(&self) -> Result<AnyTensor> {
        let mut block_out = ptr::null_mut();
        check(unsafe { sys::netcl_sharded_get_block(self.as_raw(), &mut block_out) })?;
        Ok(unsafe { AnyTensor::take(block_out)? })
    }

    /// Tells in words how a sharded tensor lies on the ranks, and what went between them to make
    /// it: the collectives, among how many ranks and how many bytes; then the same of the last
    /// [`Sharded::exchange_halo()`] of it.
    #[doc(alias = "netcl_sharded_explain")]
    pub fn explain(&self) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_sharded_explain(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Gives the same tensor with another sharding of the same group: each rank sends each other
    /// what that needs of its block, and takes nothing from others that it has. Replicating needs
    /// memory for the whole twice. To where ranks have all they need nothing is sent.
    #[doc(alias = "netcl_sharded_redistribute")]
    pub fn redistribute(&self) -> Result<Sharded> {
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_redistribute(
                self.as_raw(),
                ptr::null(),
                ptr::null(),
                &mut result_out,
            )
        })?;
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// As [`Self::redistribute`], with options.
    #[doc(alias = "netcl_sharded_redistribute")]
    pub fn redistribute_with(
        &self,
        options: ShardingOptions<'_>,
        run: RunOptions<'_>,
    ) -> Result<Sharded> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_redistribute(self.as_raw(), &options_raw, &run_raw, &mut result_out)
        })?;
        run.finish(run_keep);
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// Puts the blocks together in a tensor of rank `root`, which has the shape and dtype of the
    /// whole and shares no memory with the block there.
    ///
    /// * `output`: may be `None` on the other ranks, where it is not written
    #[doc(alias = "netcl_sharded_gather")]
    pub fn gather(&self, output: Option<&AnyTensor>, root: u32) -> Result<()> {
        check(unsafe {
            sys::netcl_sharded_gather(
                self.as_raw(),
                output.map_or(ptr::null_mut(), |h| h.as_raw()),
                root,
                ptr::null(),
            )
        })
    }

    /// As [`Self::gather`], with options.
    #[doc(alias = "netcl_sharded_gather")]
    pub fn gather_with(
        &self,
        output: Option<&AnyTensor>,
        root: u32,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        check(unsafe {
            sys::netcl_sharded_gather(
                self.as_raw(),
                output.map_or(ptr::null_mut(), |h| h.as_raw()),
                root,
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Evaluates an expression as [`op::expression_text()`] does, each rank for its block: nothing
    /// is sent. Inputs that are split lie on one mesh and split the same axes of the result by the
    /// same dimensions; replicated ones lie on any mesh, and each rank takes the part that it
    /// needs. The result is split as the inputs are. At least one input.
    #[doc(alias = "netcl_sharded_expression_text")]
    pub fn expression_text(text: &str, inputs: &[&Sharded]) -> Result<Sharded> {
        let text_c = CText::new("text", text)?;
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_expression_text(
                text_c.as_ptr(),
                inputs_raw.as_ptr(),
                support::count("inputs", inputs.len())?,
                ptr::null(),
                ptr::null(),
                &mut result_out,
            )
        })?;
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// As [`Self::expression_text`], with options.
    #[doc(alias = "netcl_sharded_expression_text")]
    pub fn expression_text_with(
        text: &str,
        inputs: &[&Sharded],
        options: ExpressionOptions,
        run: RunOptions<'_>,
    ) -> Result<Sharded> {
        let text_c = CText::new("text", text)?;
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_expression_text(
                text_c.as_ptr(),
                inputs_raw.as_ptr(),
                support::count("inputs", inputs.len())?,
                &options_raw,
                &run_raw,
                &mut result_out,
            )
        })?;
        run.finish(run_keep);
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// Reduces over axes as [`op::reduce()`] does. Along axes that are not split nothing is sent.
    /// Along split ones each rank reduces its block and an all_reduce joins them; the result is
    /// replicated along those dimensions of the mesh. That is for SUM, MEAN, PROD, MAX, MIN, L1,
    /// L2, SUM_SQUARE, LOG_SUM, ANY and ALL; others are [`UNSUPPORTED`](Status::UNSUPPORTED) there.
    /// f16 and bf16 are joined in f32 and rounded once. Error: that of [`op::reduce()`] plus (ranks
    /// \- 1) eps times the sum of absolute values.
    #[doc(alias = "netcl_sharded_reduce")]
    pub fn reduce(&self, kind: Reduction) -> Result<Sharded> {
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_reduce(
                self.as_raw(),
                kind.0,
                ptr::null(),
                ptr::null(),
                &mut result_out,
            )
        })?;
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// As [`Self::reduce`], with options.
    #[doc(alias = "netcl_sharded_reduce")]
    pub fn reduce_with(
        &self,
        kind: Reduction,
        options: ReduceOptions<'_>,
        run: RunOptions<'_>,
    ) -> Result<Sharded> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_reduce(
                self.as_raw(),
                kind.0,
                &options_raw,
                &run_raw,
                &mut result_out,
            )
        })?;
        run.finish(run_keep);
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// [`op::softmax()`] of each block, along an axis that is not split;
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for one that is. Nothing is sent.
    #[doc(alias = "netcl_sharded_softmax")]
    pub fn softmax(&self, axis: i32) -> Result<Sharded> {
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_softmax(self.as_raw(), axis, ptr::null(), &mut result_out)
        })?;
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// As [`Self::softmax`], with options.
    #[doc(alias = "netcl_sharded_softmax")]
    pub fn softmax_with(&self, axis: i32, run: RunOptions<'_>) -> Result<Sharded> {
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_softmax(self.as_raw(), axis, &run_raw, &mut result_out)
        })?;
        run.finish(run_keep);
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// [`op::layernorm()`] of each block, over axes from `axis` on, none of which is split;
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) where one is, and where statistics are asked
    /// for. Scale and bias are the same on all ranks. Nothing is sent.
    #[doc(alias = "netcl_sharded_layernorm")]
    pub fn layernorm(&self, axis: i32) -> Result<Sharded> {
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_layernorm(
                self.as_raw(),
                axis,
                ptr::null(),
                ptr::null(),
                &mut result_out,
            )
        })?;
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// As [`Self::layernorm`], with options.
    #[doc(alias = "netcl_sharded_layernorm")]
    pub fn layernorm_with(
        &self,
        axis: i32,
        options: NormOptions<'_>,
        run: RunOptions<'_>,
    ) -> Result<Sharded> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_layernorm(
                self.as_raw(),
                axis,
                &options_raw,
                &run_raw,
                &mut result_out,
            )
        })?;
        run.finish(run_keep);
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// [`op::rmsnorm()`] of each block; else as [`Sharded::layernorm()`].
    #[doc(alias = "netcl_sharded_rmsnorm")]
    pub fn rmsnorm(&self, axis: i32) -> Result<Sharded> {
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_rmsnorm(
                self.as_raw(),
                axis,
                ptr::null(),
                ptr::null(),
                &mut result_out,
            )
        })?;
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// As [`Self::rmsnorm`], with options.
    #[doc(alias = "netcl_sharded_rmsnorm")]
    pub fn rmsnorm_with(
        &self,
        axis: i32,
        options: NormOptions<'_>,
        run: RunOptions<'_>,
    ) -> Result<Sharded> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_rmsnorm(self.as_raw(), axis, &options_raw, &run_raw, &mut result_out)
        })?;
        run.finish(run_keep);
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// Matrix product of a \[..., M, K\] and b \[K, N\], both on one mesh. What each dimension of
    /// the mesh does with them tells what is sent along it:
    ///
    /// a b result sent whole whole whole nothing rows whole rows nothing; rows are all axes of a
    /// but the last whole columns columns nothing depth depth whole the products of all ranks are
    /// added up by all_reduce depth whole whole the same; each rank uses its part of b whole depth
    /// whole the same rows depth rows panels of b, each from the rank that has it (broadcast) depth
    /// columns columns panels of a
    ///
    /// Rows of a with columns of b on one dimension is
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT). Both split in rows and columns by two
    /// dimensions is SUMMA (van de Geijn and Watts, 1997): no rank ever has more of the others'
    /// blocks than a panel of each. f16 and bf16 are added up in f32 and rounded once. Error as
    /// [`op::matmul()`]. `options.epilogue`, has_scale, and the zero points are refused.
    #[doc(alias = "netcl_sharded_matmul")]
    pub fn matmul(&self, b: &Sharded) -> Result<Sharded> {
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_matmul(
                self.as_raw(),
                b.as_raw(),
                ptr::null(),
                ptr::null(),
                &mut result_out,
            )
        })?;
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// As [`Self::matmul`], with options.
    #[doc(alias = "netcl_sharded_matmul")]
    pub fn matmul_with(
        &self,
        b: &Sharded,
        options: MatmulOptions<'_>,
        run: RunOptions<'_>,
    ) -> Result<Sharded> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_matmul(
                self.as_raw(),
                b.as_raw(),
                &options_raw,
                &run_raw,
                &mut result_out,
            )
        })?;
        run.finish(run_keep);
        Ok(unsafe { Sharded::take(result_out)? })
    }

    /// Gives the block of this rank with what lies around it, corners included, for stencils and
    /// convolutions: pads has the entries before the block along every axis, then those behind it
    /// (2 rank entries, not negative). They come from the ranks that have them, however many that
    /// takes; what lies outside of the whole has a value of its own, or is periodic. What an op
    /// without padding makes of the result is a block of its result over the group, of which
    /// [`Sharded::new()`] makes a sharded tensor.
    #[doc(alias = "netcl_sharded_exchange_halo")]
    pub fn exchange_halo(&self, pads: &[i64]) -> Result<AnyTensor> {
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_exchange_halo(
                self.as_raw(),
                support::slice_ptr(pads) as *const _,
                support::count("pads", pads.len())?,
                ptr::null(),
                ptr::null(),
                &mut result_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(result_out)? })
    }

    /// As [`Self::exchange_halo`], with options.
    #[doc(alias = "netcl_sharded_exchange_halo")]
    pub fn exchange_halo_with(
        &self,
        pads: &[i64],
        options: HaloOptions,
        run: RunOptions<'_>,
    ) -> Result<AnyTensor> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_sharded_exchange_halo(
                self.as_raw(),
                support::slice_ptr(pads) as *const _,
                support::count("pads", pads.len())?,
                &options_raw,
                &run_raw,
                &mut result_out,
            )
        })?;
        run.finish(run_keep);
        Ok(unsafe { AnyTensor::take(result_out)? })
    }
}
