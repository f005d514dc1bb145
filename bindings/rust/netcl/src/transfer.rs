//! Reading without waiting.

use crate::{AnyTensor, Element, Event, Result, Tensor, Timeout, TransferOptions};
use std::mem::{size_of, ManuallyDrop, MaybeUninit};
use std::os::raw::c_void;

/// Elements that are on their way to the host. The memory belongs to this object, which waits for
/// the device when it is dropped, so that nothing is written to memory that is gone.
pub struct Pending<T: Element> {
    elements: ManuallyDrop<Vec<MaybeUninit<T>>>,
    event: Event,
    // The transfer reads the tensor's memory.
    _source: AnyTensor,
}

impl<T: Element> Pending<T> {
    /// The event of the transfer.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Waits, and gives the elements in C order. On a timeout the transfer goes on, and this object
    /// comes back with the error.
    pub fn wait(self, timeout: impl Into<Timeout>) -> std::result::Result<Vec<T>, Failed<T>> {
        if let Err(error) = self.event.wait(timeout) {
            return Err(Failed { error, pending: self });
        }
        let mut this = ManuallyDrop::new(self);
        // SAFETY: the event has completed, so all elements are written; `this` is not used again,
        // and what it holds besides the elements is dropped here once.
        unsafe {
            let mut elements = ManuallyDrop::take(&mut this.elements);
            std::ptr::drop_in_place(&mut this.event);
            std::ptr::drop_in_place(&mut this._source);
            let (place, len, capacity) =
                (elements.as_mut_ptr() as *mut T, elements.len(), elements.capacity());
            std::mem::forget(elements);
            T::tidy(place, len);
            Ok(Vec::from_raw_parts(place, len, capacity))
        }
    }
}

impl<T: Element> Drop for Pending<T> {
    fn drop(&mut self) {
        let done = self.event.wait(Timeout::FOREVER);
        let settled = done.is_ok() || self.event.query().map_or(false, |state| state.0 <= 0);
        // A wait that was interrupted leaves the transfer running: then the memory stays.
        if settled {
            // SAFETY: it is taken once, here, and nothing writes to it any more.
            unsafe { ManuallyDrop::drop(&mut self.elements) };
        }
    }
}

impl<T: Element> std::fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pending({} elements of {})", self.elements.len(), T::DTYPE.name())
    }
}

/// Why [`Pending::wait`] gave no elements.
#[derive(Debug)]
pub struct Failed<T: Element> {
    /// What the wait said.
    pub error: crate::Error,
    /// The transfer, to be waited for again.
    pub pending: Pending<T>,
}

impl<T: Element> From<Failed<T>> for crate::Error {
    /// Drops the transfer, which waits for its end.
    fn from(failed: Failed<T>) -> crate::Error {
        failed.error
    }
}

impl<T: Element> Tensor<T> {
    /// Starts to copy the elements to the host, after what was enqueued before.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// let x = dev.full(&[1000], 2.5f32)?;
    /// let pending = x.read_async()?;
    /// // ... other work ...
    /// assert_eq!(pending.wait(netcl::Timeout::FOREVER)?[999], 2.5);
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_async(&self) -> Result<Pending<T>> {
        let len = self.len()?;
        let mut elements: Vec<MaybeUninit<T>> = crate::tensor::vec_for(len)?;
        // SAFETY: uninitialised memory is a value of MaybeUninit.
        unsafe { elements.set_len(len) };
        let mut event = None;
        let options = TransferOptions::new().event(&mut event);
        let (place, size) = (elements.as_mut_ptr() as *mut c_void, len * size_of::<T>());
        // SAFETY: the vector is as large as said, and Pending keeps it until the event is done.
        let started = unsafe { self.read_with(place, size, options, Timeout::FOREVER) };
        // Without an event nobody would know when the device is done: then the memory is leaked.
        let elements = ManuallyDrop::new(elements);
        match (started, event) {
            (Ok(()), Some(event)) => Ok(Pending { elements, event, _source: self.any().clone() }),
            (Ok(()), None) => Err(crate::support::nothing_given()),
            (Err(error), _) => {
                drop(ManuallyDrop::into_inner(elements));
                Err(error)
            }
        }
    }
}
