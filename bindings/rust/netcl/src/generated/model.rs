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

/// A network that was read from a file, ready to run. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_model")]
#[repr(transparent)]
pub struct Model {
    raw: NonNull<sys::netcl_model>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Model {}
unsafe impl Sync for Model {}

impl Model {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_model) -> Model {
        Model { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_model {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_model_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_model {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_model) -> Option<Model> {
        NonNull::new(raw).map(|raw| Model { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_model) -> Result<Model> {
        Model::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Model> {
        check(unsafe { sys::netcl_model_retain(self.as_raw()) })?;
        Ok(Model { raw: self.raw })
    }
}

impl Clone for Model {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Model {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        unsafe { sys::netcl_model_release(self.as_raw()) }
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Model({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Model {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Model) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Model {}

impl Model {
    /// Loads a model from a file of ONNX. Weights in files of their own are read from the file's
    /// folder and those below it alone. [`IO`](Status::IO) where a file cannot be read,
    /// [`CORRUPT_DATA`](Status::CORRUPT_DATA) where one is no model: a length beyond its end, a
    /// weight of another size than its shape says, a value that nothing gives or two nodes give.
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) lists all that netcl cannot run, ops, dtypes and
    /// attributes with the names of their nodes, before anything is allocated on the device;
    /// [`Model::describe()`] gives the list where it is longer than a message.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for another `options.dtype`. Models of one
    /// file on one device share the weights of the file that they hold in the same dtype; a file
    /// that was changed less than two seconds ago is loaded on its own.
    #[doc(alias = "netcl_model_load")]
    pub fn load(device: &Device, path: impl AsRef<Path>) -> Result<Model> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut model_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_model_load(device.as_raw(), path_c.as_ptr(), ptr::null(), &mut model_out)
        })?;
        Ok(unsafe { Model::take(model_out)? })
    }

    /// As [`Self::load`], with options.
    #[doc(alias = "netcl_model_load")]
    pub fn load_with(
        device: &Device,
        path: impl AsRef<Path>,
        options: ModelOptions,
    ) -> Result<Model> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut model_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_model_load(device.as_raw(), path_c.as_ptr(), &options_raw, &mut model_out)
        })?;
        Ok(unsafe { Model::take(model_out)? })
    }

    /// As [`Model::load()`], from the bytes of a file, of which nothing is kept. Weights in other
    /// files are [`UNSUPPORTED`](Status::UNSUPPORTED).
    #[doc(alias = "netcl_model_load_memory")]
    pub fn load_memory(device: &Device, data: &[u8]) -> Result<Model> {
        let mut model_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_model_load_memory(
                device.as_raw(),
                support::data_ptr(data),
                data.len(),
                ptr::null(),
                &mut model_out,
            )
        })?;
        Ok(unsafe { Model::take(model_out)? })
    }

    /// As [`Self::load_memory`], with options.
    #[doc(alias = "netcl_model_load_memory")]
    pub fn load_memory_with(device: &Device, data: &[u8], options: ModelOptions) -> Result<Model> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut model_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_model_load_memory(
                device.as_raw(),
                support::data_ptr(data),
                data.len(),
                &options_raw,
                &mut model_out,
            )
        })?;
        Ok(unsafe { Model::take(model_out)? })
    }

    /// Tells what is in a model.
    #[doc(alias = "netcl_model_get_info")]
    pub fn info(&self) -> Result<ModelInfo> {
        let mut info = MaybeUninit::<sys::netcl_model_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_model_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(ModelInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Describes an input of a model.
    #[doc(alias = "netcl_model_get_input")]
    pub fn input(&self, index: u32) -> Result<ModelValue> {
        let mut value = MaybeUninit::<sys::netcl_model_value>::uninit();
        unsafe { support::set_size(value.as_mut_ptr()) };
        check(unsafe { sys::netcl_model_get_input(self.as_raw(), index, value.as_mut_ptr()) })?;
        Ok(ModelValue::from_raw(unsafe { value.assume_init_ref() }))
    }

    /// Describes an output of a model.
    #[doc(alias = "netcl_model_get_output")]
    pub fn output(&self, index: u32) -> Result<ModelValue> {
        let mut value = MaybeUninit::<sys::netcl_model_value>::uninit();
        unsafe { support::set_size(value.as_mut_ptr()) };
        check(unsafe { sys::netcl_model_get_output(self.as_raw(), index, value.as_mut_ptr()) })?;
        Ok(ModelValue::from_raw(unsafe { value.assume_init_ref() }))
    }

    /// Finds an input by its name. [`NOT_FOUND`](Status::NOT_FOUND) lists the names that there are.
    #[doc(alias = "netcl_model_find_input")]
    pub fn find_input(&self, name: &str) -> Result<u32> {
        let name_c = CText::new("name", name)?;
        let mut index = Default::default();
        check(unsafe { sys::netcl_model_find_input(self.as_raw(), name_c.as_ptr(), &mut index) })?;
        Ok(index)
    }

    /// Finds an output by its name. [`NOT_FOUND`](Status::NOT_FOUND) lists the names that there
    /// are.
    #[doc(alias = "netcl_model_find_output")]
    pub fn find_output(&self, name: &str) -> Result<u32> {
        let name_c = CText::new("name", name)?;
        let mut index = Default::default();
        check(unsafe { sys::netcl_model_find_output(self.as_raw(), name_c.as_ptr(), &mut index) })?;
        Ok(index)
    }

    /// Runs a model into tensors that are given, as [`Graph::run()`] runs a graph made from a
    /// function: all inputs and all outputs in their order.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) names the input where its dtype, its rank or
    /// an extent is not what the file says, where two inputs give one named dimension two extents,
    /// and the node where an op refuses what it gets.
    #[doc(alias = "netcl_model_run")]
    pub fn run(&self, inputs: &[&AnyTensor], outputs: &[&AnyTensor]) -> Result<()> {
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let mut outputs_raw = Pointers::default();
        outputs_raw.fill(outputs.iter().map(|h| h.as_raw()));
        check(unsafe {
            sys::netcl_model_run(
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
    #[doc(alias = "netcl_model_run")]
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
            sys::netcl_model_run(
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

    /// Runs a model as [`Model::run()`] does, with new tensors as outputs.
    #[doc(alias = "netcl_model_evaluate")]
    pub fn evaluate(&self, inputs: &[&AnyTensor]) -> Result<Vec<AnyTensor>> {
        let mut inputs_raw = Pointers::default();
        inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
        let inputs_count = support::count("inputs", inputs.len())?;
        let text = support::read_array(ptr::null_mut(), |place, room, length| unsafe {
            sys::netcl_model_evaluate(
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
    #[doc(alias = "netcl_model_evaluate")]
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
            sys::netcl_model_evaluate(
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

    /// Tells how a model runs: [`Graph::explain()`] of each form, beginning with the one that was
    /// used last.
    #[doc(alias = "netcl_model_explain")]
    pub fn explain(&self, format: GraphFormat) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_model_explain(self.as_raw(), format.0, place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Tells what is in a file of ONNX, without a device: inputs, outputs, ops with their numbers,
    /// and each thing that netcl cannot run with the names of all nodes that need it.
    #[doc(alias = "netcl_model_describe")]
    pub fn describe(path: impl AsRef<Path>) -> Result<String> {
        let path_c = CText::path("path", path.as_ref())?;
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_model_describe(path_c.as_ptr(), place as *mut _, room, length)
        })?;
        Ok(text)
    }
}
