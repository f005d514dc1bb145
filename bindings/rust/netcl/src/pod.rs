//! Plain structs as arguments of kernels.

use crate::{Arg, Bf16, F16};
use bytemuck::{NoUninit, Pod, Zeroable};

// SAFETY: 16 bits, for which every pattern is a value, without padding.
unsafe impl Zeroable for F16 {}
// SAFETY: as above.
unsafe impl Pod for F16 {}
// SAFETY: as above.
unsafe impl Zeroable for Bf16 {}
// SAFETY: as above.
unsafe impl Pod for Bf16 {}

impl<'a> Arg<'a> {
    /// A value of a plain type, such as a struct of numbers without padding, for a parameter of the
    /// same layout.
    ///
    /// ```
    /// use netcl::bytemuck::{Pod, Zeroable};
    /// #[repr(C)]
    /// #[derive(Clone, Copy)]
    /// struct Wave {
    ///     speed: f32,
    ///     step: f32,
    /// }
    /// // SAFETY: floats, without padding; bytemuck derives this with its feature `derive`.
    /// unsafe impl Zeroable for Wave {}
    /// unsafe impl Pod for Wave {}
    /// let wave = Wave { speed: 0.5, step: 0.1 };
    /// let arg = netcl::Arg::pod(&wave);
    /// assert_eq!(format!("{arg:?}"), "Arg(DATA, 8 bytes)");
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "bytemuck")))]
    pub fn pod<T: NoUninit>(value: &'a T) -> Arg<'a> {
        Arg::bytes(bytemuck::bytes_of(value))
    }
}
