//! The numbers of the crate `half` as elements.

use crate::{Bf16, Dtype, Element, Float, Scalar, Tensor, F16};
use half::{bf16, f16};

macro_rules! halves {
    ($($type:ident $dtype:ident $own:ident;)*) => {$(
        // SAFETY: 16 bits of the same format, for which every bit pattern is a value.
        #[cfg_attr(docsrs, doc(cfg(feature = "half")))]
        unsafe impl Element for $type {
            const DTYPE: Dtype = Dtype::$dtype;
            type Product = $type;
            type Sum = $type;
            type Real = $type;
        }

        impl crate::recording::Sealed for $type {}
        #[cfg_attr(docsrs, doc(cfg(feature = "half")))]
        impl Float for $type {}

        impl From<$type> for Scalar {
            fn from(value: $type) -> Scalar {
                Scalar::of(value)
            }
        }

        #[cfg_attr(docsrs, doc(cfg(feature = "half")))]
        impl From<$type> for $own {
            fn from(value: $type) -> $own {
                $own(value.to_bits())
            }
        }

        #[cfg_attr(docsrs, doc(cfg(feature = "half")))]
        impl From<$own> for $type {
            fn from(value: $own) -> $type {
                $type::from_bits(value.0)
            }
        }

        /// Between the two names of the type, without a copy of the elements.
        #[cfg_attr(docsrs, doc(cfg(feature = "half")))]
        impl From<Tensor<$own>> for Tensor<$type> {
            fn from(tensor: Tensor<$own>) -> Tensor<$type> {
                tensor.renamed()
            }
        }

        #[cfg_attr(docsrs, doc(cfg(feature = "half")))]
        impl From<Tensor<$type>> for Tensor<$own> {
            fn from(tensor: Tensor<$type>) -> Tensor<$own> {
                tensor.renamed()
            }
        }
    )*};
}
halves! {
    f16 F16 F16;
    bf16 BF16 Bf16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bits_convert_as_ours_do() {
        for bits in 0..=u16::MAX {
            let (own, other) = (F16(bits), f16::from_bits(bits));
            assert_eq!(F16::from(other).0, bits);
            assert_eq!(f16::from(own).to_bits(), bits);
            assert!(own.to_f32() == other.to_f32() || other.is_nan() && own.to_f32().is_nan());
            let (own, other) = (Bf16(bits), bf16::from_bits(bits));
            assert_eq!((Bf16::from(other).0, bf16::from(own).to_bits()), (bits, bits));
            assert!(own.to_f32() == other.to_f32() || other.is_nan() && own.to_f32().is_nan());
        }
    }
}
