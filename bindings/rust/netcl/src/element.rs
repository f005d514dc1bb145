//! Element types and single values.

use crate::{Dtype, Error, Result};
use std::fmt;

/// A type that tensors can have as elements.
///
/// # Safety
/// `DTYPE` says how the library sees a value of this type: the sizes are equal, and every bit
/// pattern that a tensor can hold is a value, after `tidy` has seen the bytes.
pub unsafe trait Element: Copy + Default + Send + Sync + fmt::Display + 'static {
    /// The dtype of such elements.
    const DTYPE: Dtype;
    /// Of matrix products: `i32` of `i8` and `u8`, else the same type.
    type Product: Element;
    /// Of sums and products of elements: `i64` of `bool`, else the same type.
    type Sum: Element;
    /// Of functions of real numbers: `f32` of integers and `bool`, else the same type.
    type Real: Element;

    /// Makes values of what came from a device.
    ///
    /// # Safety
    /// `data` points to `len` elements.
    #[doc(hidden)]
    unsafe fn tidy(data: *mut Self, len: usize) {
        let _ = (data, len);
    }
}

macro_rules! elements {
    ($($type:ty, $dtype:ident, $product:ty, $real:ty;)*) => {$(
        // SAFETY: numbers of one layout, for which every bit pattern is a value.
        unsafe impl Element for $type {
            const DTYPE: Dtype = Dtype::$dtype;
            type Product = $product;
            type Sum = $type;
            type Real = $real;
        }
        const _: () = assert!(std::mem::size_of::<$type>() <= 16);

        impl From<$type> for Scalar {
            fn from(value: $type) -> Scalar {
                Scalar::of(value)
            }
        }
    )*};
}

elements! {
    F16, F16, F16, F16;
    Bf16, BF16, Bf16, Bf16;
    f32, F32, f32, f32;
    f64, F64, f64, f64;
    i8, I8, i32, f32;
    i16, I16, i16, f32;
    i32, I32, i32, f32;
    i64, I64, i64, f32;
    u8, U8, i32, f32;
    u16, U16, u16, f32;
    u32, U32, u32, f32;
    u64, U64, u64, f32;
}

// SAFETY: tidy makes every byte 0 or 1, the two values of a bool.
unsafe impl Element for bool {
    const DTYPE: Dtype = Dtype::BOOL;
    type Product = bool;
    type Sum = i64;
    type Real = f32;

    unsafe fn tidy(data: *mut bool, len: usize) {
        let bytes = data as *mut u8;
        for index in 0..len {
            let byte = bytes.add(index);
            *byte = (*byte != 0) as u8;
        }
    }
}

impl From<bool> for Scalar {
    fn from(value: bool) -> Scalar {
        Scalar::of(value)
    }
}

/// One value with its dtype, for calls that take an element: `Scalar::from(1.5f32)`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Scalar {
    dtype: Dtype,
    bytes: [u8; 16],
}

impl Scalar {
    pub(crate) fn of<T: Element>(value: T) -> Scalar {
        let mut bytes = [0; 16];
        // SAFETY: elements are at most 16 bytes large, and their bytes are all initialised.
        unsafe { std::ptr::write_unaligned(bytes.as_mut_ptr() as *mut T, value) };
        Scalar { dtype: T::DTYPE, bytes }
    }

    /// The number 1.
    pub(crate) fn one(dtype: Dtype) -> Scalar {
        match dtype {
            Dtype::F16 => Scalar::of(F16::from_f32(1.0)),
            Dtype::BF16 => Scalar::of(Bf16::from_f32(1.0)),
            Dtype::F32 => Scalar::of(1f32),
            Dtype::F64 => Scalar::of(1f64),
            _ => {
                let one = match dtype.size() {
                    1 => Scalar::of(1u8),
                    2 => Scalar::of(1u16),
                    4 => Scalar::of(1u32),
                    _ => Scalar::of(1u64),
                };
                Scalar { dtype, ..one }
            }
        }
    }

    /// Reads the value as a type of its size.
    fn get<T: Element>(&self) -> T {
        // SAFETY: a T is at most 16 bytes large, and those of numbers are all values.
        unsafe { std::ptr::read_unaligned(self.bytes.as_ptr() as *const T) }
    }

    /// An integer or a truth value as a whole number.
    pub(crate) fn whole(&self) -> Option<i128> {
        Some(match self.dtype {
            Dtype::I8 => self.get::<i8>().into(),
            Dtype::I16 => self.get::<i16>().into(),
            Dtype::I32 => self.get::<i32>().into(),
            Dtype::I64 => self.get::<i64>().into(),
            Dtype::U8 | Dtype::BOOL => self.get::<u8>().into(),
            Dtype::U16 => self.get::<u16>().into(),
            Dtype::U32 => self.get::<u32>().into(),
            Dtype::U64 => self.get::<u64>().into(),
            _ => return None,
        })
    }

    pub(crate) fn real(&self) -> f64 {
        match self.dtype {
            Dtype::F16 => self.get::<F16>().to_f32().into(),
            Dtype::BF16 => self.get::<Bf16>().to_f32().into(),
            Dtype::F32 => self.get::<f32>().into(),
            Dtype::F64 => self.get(),
            _ => self.whole().map_or(f64::NAN, |whole| whole as f64),
        }
    }

    /// The dtype of the value.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    pub(crate) fn bytes(&self) -> [u8; 16] {
        self.bytes
    }

    /// The bytes, if they are of the dtype that a call needs.
    pub(crate) fn checked(&self, what: &str, dtype: Dtype) -> Result<[u8; 16]> {
        if self.dtype != dtype {
            let (own, other) = (self.dtype.name(), dtype.name());
            return Err(Error::invalid(format!("{what} is of dtype {own}; {other} is needed")));
        }
        Ok(self.bytes)
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.dtype.size();
        write!(f, "Scalar({:?}, {:02x?})", self.dtype, &self.bytes[..size])
    }
}

/// An IEEE 754 binary16 number. It is storage: convert it to compute with it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct F16(pub u16);

/// A bfloat16 number: the upper half of an `f32`. It is storage: convert it to compute with it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Bf16(pub u16);

impl F16 {
    /// Rounds to the nearest, ties to even; too large numbers become infinite.
    pub fn from_f32(value: f32) -> F16 {
        let bits = value.to_bits();
        let sign = (bits >> 16) as u16 & 0x8000;
        let magnitude = bits & 0x7fff_ffff;
        if magnitude > 0x7f80_0000 {
            return F16(sign | 0x7e00 | (magnitude >> 13) as u16 & 0x03ff);
        }
        if magnitude >= 0x477f_f000 {
            return F16(sign | 0x7c00);
        }
        if magnitude < 0x3880_0000 {
            // Below 2^-14 the step is 2^-24: adding 0.5 makes the hardware round to it.
            let rounded = (f32::from_bits(magnitude) + 0.5).to_bits() - 0x3f00_0000;
            return F16(sign | rounded as u16);
        }
        let rounded = magnitude + 0x0fff + (magnitude >> 13 & 1);
        F16(sign | ((rounded - 0x3800_0000) >> 13) as u16)
    }

    /// The same number, exactly.
    pub fn to_f32(self) -> f32 {
        let sign = ((self.0 & 0x8000) as u32) << 16;
        let magnitude = (self.0 & 0x7fff) as u32;
        let value = if magnitude >= 0x7c00 {
            f32::from_bits((magnitude & 0x3ff) << 13 | 0x7f80_0000)
        } else if magnitude >= 0x400 {
            f32::from_bits((magnitude << 13) + 0x3800_0000)
        } else {
            magnitude as f32 / 16_777_216.0
        };
        f32::from_bits(value.to_bits() | sign)
    }
}

impl Bf16 {
    /// Rounds to the nearest, ties to even.
    pub fn from_f32(value: f32) -> Bf16 {
        let bits = value.to_bits();
        if value.is_nan() {
            return Bf16((bits >> 16) as u16 | 0x40);
        }
        Bf16((bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16) as u16)
    }

    /// The same number, exactly.
    pub fn to_f32(self) -> f32 {
        f32::from_bits((self.0 as u32) << 16)
    }
}

macro_rules! halves {
    ($($type:ident)*) => {$(
        impl From<$type> for f32 {
            fn from(value: $type) -> f32 {
                value.to_f32()
            }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }
    )*};
}

halves!(F16 Bf16);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_survives_the_way_through_f32() {
        for bits in 0..=u16::MAX {
            let value = F16(bits).to_f32();
            let back = F16::from_f32(value);
            if value.is_nan() {
                assert!(back.to_f32().is_nan());
            } else {
                assert_eq!(back.0, bits);
            }
        }
    }

    #[test]
    fn rounding_goes_to_the_nearest_and_then_to_even() {
        for (value, bits) in [
            (65504.0, 0x7bff),
            (65519.996, 0x7bff),
            (65520.0, 0x7c00),
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            (2f32.powi(-25), 0),
            (2f32.powi(-25) * 1.0001, 1),
            (3.0 * 2f32.powi(-25), 2),
            (-0.0, 0x8000),
        ] {
            assert_eq!(F16::from_f32(value).0, bits, "{value:e}");
        }
        for (value, bits) in [(1.0, 0x3f80), (f32::MAX, 0x7f80), (-2.5, 0xc020)] {
            assert_eq!(Bf16::from_f32(value).0, bits);
        }
        assert_eq!(Bf16::from_f32(f32::from_bits(0x3f80_8000)).0, 0x3f80);
        assert_eq!(Bf16::from_f32(f32::from_bits(0x3f81_8000)).0, 0x3f82);
        assert!(Bf16::from_f32(f32::NAN).to_f32().is_nan());
    }
}
