//! Functions of the elements and reductions by name, with the element types of their results.

use crate::sugar::{expr, expr_with};
use crate::{
    op, AnyTensor, Axes, Element, Pooling, PoolingOptions, ReduceOptions, Reduction, Result,
};
use crate::{RunOptions, Scalar, Shape, Tensor};
use std::borrow::Borrow;

/// A tensor or a number of its element type, for what takes either.
#[derive(Debug)]
pub enum Operand<'a, T: Element> {
    /// Broadcasts.
    Tensor(&'a Tensor<T>),
    /// The same for all elements.
    Number(T),
}

impl<'a, T: Element> From<&'a Tensor<T>> for Operand<'a, T> {
    fn from(tensor: &'a Tensor<T>) -> Operand<'a, T> {
        Operand::Tensor(tensor)
    }
}

impl<'a, T: Element> From<T> for Operand<'a, T> {
    fn from(number: T) -> Operand<'a, T> {
        Operand::Number(number)
    }
}

/// A number as a tensor without dimensions: it is data, so one kernel serves all numbers.
pub(crate) fn number<T: Element>(beside: &AnyTensor, value: T) -> Result<Tensor<T>> {
    Tensor::full(&beside.device()?, (), value)
}

impl<T: Element> Operand<'_, T> {
    fn tensor(self, beside: &AnyTensor) -> Result<Tensor<T>> {
        match self {
            Operand::Tensor(tensor) => tensor.any().try_clone()?.typed(),
            Operand::Number(value) => number(beside, value),
        }
    }
}

fn side_by_side(window: &[i64]) -> PoolingOptions<'_> {
    PoolingOptions::new().window(window).strides(window)
}

macro_rules! of_one {
    ($($(#[$doc:meta])* $name:ident $with:ident $text:literal -> $result:ty;)*) => {
        impl<T: Element> Tensor<T> {$(
            $(#[$doc])*
            pub fn $name(&self) -> Result<Tensor<$result>> {
                expr($text, &[self])?.typed()
            }

            #[doc = concat!("As [`Self::", stringify!($name), "`], with [`RunOptions`].")]
            pub fn $with(&self, run: RunOptions<'_>) -> Result<Tensor<$result>> {
                run.check_into::<$result>()?;
                expr_with($text, &[self], run)?.typed()
            }
        )*}
    };
}

of_one! {
    /// The exponential. Of integers it is `f32`, as everything that gives [`Element::Real`].
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// # let dev = netcl::Device::open("auto")?;
    /// let x = dev.tensor(&[0.0f32, 1.0], 2)?;
    /// assert!((x.exp()?.sum(..)?.item()? - 3.71828).abs() < 1e-4);
    /// # Ok(())
    /// # }
    /// ```
    exp exp_with "exp(v0)" -> T::Real;
    /// 2 to the power of each element.
    exp2 exp2_with "exp2(v0)" -> T::Real;
    /// `exp(x) - 1`, precise for small `x`.
    exp_m1 exp_m1_with "expm1(v0)" -> T::Real;
    /// The natural logarithm.
    #[doc(alias = "log")]
    ln ln_with "log(v0)" -> T::Real;
    /// The logarithm to the base 2.
    log2 log2_with "log2(v0)" -> T::Real;
    /// The logarithm to the base 10.
    log10 log10_with "log10(v0)" -> T::Real;
    /// `ln(1 + x)`, precise for small `x`.
    #[doc(alias = "log1p")]
    ln_1p ln_1p_with "log1p(v0)" -> T::Real;
    /// The square root.
    sqrt sqrt_with "sqrt(v0)" -> T::Real;
    /// 1 over the square root.
    rsqrt rsqrt_with "rsqrt(v0)" -> T::Real;
    /// 1 over each element.
    recip recip_with "reciprocal(v0)" -> T::Real;
    /// The sine of radians.
    sin sin_with "sin(v0)" -> T::Real;
    /// The cosine of radians.
    cos cos_with "cos(v0)" -> T::Real;
    /// The tangent of radians.
    tan tan_with "tan(v0)" -> T::Real;
    /// The hyperbolic tangent.
    tanh tanh_with "tanh(v0)" -> T::Real;
    /// The error function.
    erf erf_with "erf(v0)" -> T::Real;
    /// `1 / (1 + exp(-x))`.
    sigmoid sigmoid_with "sigmoid(v0)" -> T::Real;
    /// `x * sigmoid(x)`, also called swish.
    #[doc(alias = "swish")]
    silu silu_with "silu(v0)" -> T::Real;
    /// `x / 2 * erfc(-x / sqrt(2))`.
    gelu gelu_with "gelu(v0)" -> T::Real;
    /// `ln(1 + exp(x))`.
    softplus softplus_with "softplus(v0)" -> T::Real;
    /// What is not negative, and 0 for the others; NaN stays.
    relu relu_with "relu(v0)" -> T;
    /// The absolute value.
    abs abs_with "abs(v0)" -> T;
    /// -1, 0 or 1; NaN and zeros stay what they are.
    sign sign_with "sign(v0)" -> T;
    /// Each element times itself.
    square square_with "square(v0)" -> T;
    /// The next whole number below.
    floor floor_with "floor(v0)" -> T;
    /// The next whole number above.
    ceil ceil_with "ceil(v0)" -> T;
    /// The whole number towards zero.
    trunc trunc_with "trunc(v0)" -> T;
    /// The nearest whole number, halves to even.
    #[doc(alias = "round_ties_even")]
    round round_with "round(v0)" -> T;
    /// Whether each element is not a number.
    is_nan is_nan_with "isnan(v0)" -> bool;
}

macro_rules! of_two {
    ($($(#[$doc:meta])* $name:ident $with:ident $text:literal -> $result:ty;)*) => {
        impl<T: Element> Tensor<T> {$(
            $(#[$doc])*
            pub fn $name<'a>(&self, other: impl Into<Operand<'a, T>>) -> Result<Tensor<$result>> {
                expr($text, &[self, &*other.into().tensor(self)?])?.typed()
            }

            #[doc = concat!("As [`Self::", stringify!($name), "`], with [`RunOptions`].")]
            pub fn $with<'a>(
                &self,
                other: impl Into<Operand<'a, T>>,
                run: RunOptions<'_>,
            ) -> Result<Tensor<$result>> {
                run.check_into::<$result>()?;
                expr_with($text, &[self, &*other.into().tensor(self)?], run)?.typed()
            }
        )*}
    };
}

of_two! {
    /// The larger of each two, as the other methods with two operands of a tensor or a number; NaN
    /// wins.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// # let dev = netcl::Device::open("auto")?;
    /// let x = dev.tensor(&[1, -2, 3], 3)?;
    /// assert_eq!(x.maximum(0)?.to_vec()?, [1, 0, 3]);
    /// let negative = x.lt(0)?;
    /// assert_eq!(negative.to_vec()?, [false, true, false]);
    /// assert_eq!(negative.where_cond(7, &x)?.to_vec()?, [1, 7, 3]);
    /// # Ok(())
    /// # }
    /// ```
    maximum maximum_with "max(v0, v1)" -> T;
    /// The smaller of each two; NaN wins.
    minimum minimum_with "min(v0, v1)" -> T;
    /// Each element to the power of another. Of integers it is `f32`.
    pow pow_with "pow(v0, v1)" -> T::Real;
    /// Where elements are equal.
    eq eq_with "v0 == v1" -> bool;
    /// Where elements differ.
    ne ne_with "v0 != v1" -> bool;
    /// Where elements are less.
    lt lt_with "v0 < v1" -> bool;
    /// Where elements are less or equal.
    le le_with "v0 <= v1" -> bool;
    /// Where elements are greater.
    gt gt_with "v0 > v1" -> bool;
    /// Where elements are greater or equal.
    ge ge_with "v0 >= v1" -> bool;
}

impl<T: Element> Tensor<T> {
    /// Elements below `low` become `low`, and those above `high` become `high`.
    pub fn clamp(&self, low: T, high: T) -> Result<Tensor<T>> {
        self.clamp_with(low, high, RunOptions::default())
    }

    /// As [`Self::clamp`], with [`RunOptions`].
    pub fn clamp_with(&self, low: T, high: T, run: RunOptions<'_>) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        let (low, high) = (number(self, low)?, number(self, high)?);
        expr_with("clamp(v0, v1, v2)", &[self, &low, &high], run)?.typed()
    }

    /// Sets every element to one value.
    pub fn fill(&self, value: T) -> Result<()> {
        op::fill(self, Scalar::of(value), RunOptions::default())
    }

    fn reduced<U: Element>(
        &self,
        kind: Reduction,
        axes: Axes,
        keep: bool,
        run: RunOptions<'_>,
    ) -> Result<Tensor<U>> {
        run.check_into::<U>()?;
        let axes = axes.list()?;
        let options = ReduceOptions::new().axes(&axes).keepdims(keep);
        op::reduce(self, kind, options, run)?.typed()
    }

    /// The index of the first largest element along an axis.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// # let dev = netcl::Device::open("auto")?;
    /// let x = dev.tensor(&[1.0f32, 3.0, 2.0, 9.0, 0.0, 4.0], (2, 3))?;
    /// assert_eq!(x.argmax(1)?.to_vec()?, [1, 0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn argmax(&self, axis: i32) -> Result<Tensor<i64>> {
        self.reduced(Reduction::ARGMAX, axis.into(), false, RunOptions::default())
    }

    /// The index of the first smallest element along an axis.
    pub fn argmin(&self, axis: i32) -> Result<Tensor<i64>> {
        self.reduced(Reduction::ARGMIN, axis.into(), false, RunOptions::default())
    }

    /// Running sums along an axis.
    pub fn cumsum(&self, axis: i32) -> Result<Tensor<T>> {
        self.scan(Reduction::SUM, axis)
    }

    /// Running products along an axis.
    pub fn cumprod(&self, axis: i32) -> Result<Tensor<T>> {
        self.scan(Reduction::PROD, axis)
    }

    /// The largest of each window of height and width, which lie side by side. [`Self::pool_with`]
    /// takes other strides, and padding.
    pub fn max_pool2d(&self, window: [usize; 2]) -> Result<Tensor<T>> {
        let window = window.map(|extent| extent as i64);
        self.pool_with(Pooling::MAX, side_by_side(&window))
    }

    /// The mean of each window of height and width, which lie side by side.
    pub fn avg_pool2d(&self, window: [usize; 2]) -> Result<Tensor<T>> {
        let window = window.map(|extent| extent as i64);
        self.pool_with(Pooling::AVERAGE, side_by_side(&window))
    }

    /// Puts tensors behind each other along an axis.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// # let dev = netcl::Device::open("auto")?;
    /// let (a, b) = (dev.zeros::<f32>((2, 3))?, dev.full((1, 3), 1.0f32)?);
    /// assert_eq!(netcl::Tensor::concat(&[&a, &b], 0)?.shape(), [3, 3]);
    /// let list = vec![a, b]; // owned ones are a list too
    /// assert_eq!(netcl::Tensor::concat(&list, 0)?.shape(), [3, 3]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn concat<A: Borrow<Tensor<T>>>(tensors: &[A], axis: i32) -> Result<Tensor<T>> {
        let tensors: Vec<&AnyTensor> = tensors.iter().map(|tensor| tensor.borrow().any()).collect();
        op::concat(&tensors, axis, RunOptions::default())?.typed()
    }

    /// Puts tensors of one shape beside each other along a new dimension, at `axis`, which may be
    /// the rank.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// # let dev = netcl::Device::open("auto")?;
    /// let (a, b) = (dev.tensor(&[1, 2], 2)?, dev.tensor(&[3, 4], 2)?);
    /// assert_eq!(netcl::Tensor::stack(&[&a, &b], 1)?.to_vec()?, [1, 3, 2, 4]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn stack<A: Borrow<Tensor<T>>>(tensors: &[A], axis: usize) -> Result<Tensor<T>> {
        let views = tensors.iter().map(|tensor| tensor.borrow().unsqueeze(axis));
        Tensor::concat(&views.collect::<Result<Vec<_>>>()?, axis as i32)
    }

    /// Views the tensor with one dimension of extent 1 more: at `axis`, which may be the rank.
    pub fn unsqueeze(&self, axis: usize) -> Result<Tensor<T>> {
        let mut extents = self.shape().to_vec();
        if axis > extents.len() {
            let rank = extents.len();
            return Err(crate::Error::invalid(format!("axis is {axis}; the rank is {rank}")));
        }
        extents.insert(axis, 1);
        self.viewed(extents.into(), |strides| strides.insert(axis, 1))
    }

    /// Views the tensor without a dimension of extent 1.
    pub fn squeeze(&self, axis: usize) -> Result<Tensor<T>> {
        let mut extents = self.shape().to_vec();
        if extents.get(axis) != Some(&1) {
            let message = format!("axis is {axis}; in shape {extents:?} its extent is not 1");
            return Err(crate::Error::invalid(message));
        }
        extents.remove(axis);
        self.viewed(extents.into(), |strides| {
            strides.remove(axis);
        })
    }

    fn viewed(&self, shape: Shape, change: impl FnOnce(&mut Vec<i64>)) -> Result<Tensor<T>> {
        let mut strides = self.strides();
        change(&mut strides);
        self.view(shape, Some(&strides), 0)
    }
}

impl Tensor<bool> {
    /// Where elements are true those of one tensor or a number, else those of another.
    #[doc(alias = "select")]
    pub fn where_cond<'a, T: Element>(
        &self,
        yes: impl Into<Operand<'a, T>>,
        no: impl Into<Operand<'a, T>>,
    ) -> Result<Tensor<T>> {
        let (yes, no) = (yes.into().tensor(self)?, no.into().tensor(self)?);
        expr("where(v0, v1, v2)", &[self, &yes, &no])?.typed()
    }

    /// Whether an element is true, over axes.
    pub fn any_true(&self, axes: impl Into<Axes>) -> Result<Tensor<bool>> {
        self.reduced(Reduction::ANY, axes.into(), false, RunOptions::default())
    }

    /// Whether all elements are true, over axes.
    pub fn all_true(&self, axes: impl Into<Axes>) -> Result<Tensor<bool>> {
        self.reduced(Reduction::ALL, axes.into(), false, RunOptions::default())
    }
}

macro_rules! reductions {
    ($($(#[$doc:meta])*
       $name:ident $with:ident $keep:ident $keep_with:ident $kind:ident -> $result:ty;)*) => {
        impl<T: Element> Tensor<T> {$(
            $(#[$doc])*
            pub fn $name(&self, axes: impl Into<Axes>) -> Result<Tensor<$result>> {
                self.$with(axes, RunOptions::default())
            }

            #[doc = concat!("As [`Self::", stringify!($name), "`], with [`RunOptions`].")]
            pub fn $with(
                &self,
                axes: impl Into<Axes>,
                run: RunOptions<'_>,
            ) -> Result<Tensor<$result>> {
                self.reduced(Reduction::$kind, axes.into(), false, run)
            }

            #[doc = concat!("As [`Self::", stringify!($name), "`]; the axes stay, with extent 1.")]
            pub fn $keep(&self, axes: impl Into<Axes>) -> Result<Tensor<$result>> {
                self.$keep_with(axes, RunOptions::default())
            }

            #[doc = concat!("As [`Self::", stringify!($keep), "`], with [`RunOptions`].")]
            pub fn $keep_with(
                &self,
                axes: impl Into<Axes>,
                run: RunOptions<'_>,
            ) -> Result<Tensor<$result>> {
                self.reduced(Reduction::$kind, axes.into(), true, run)
            }
        )*}
    };
}

reductions! {
    /// The sum over axes: `x.sum(1)`, `x.sum([0, 2])`, or `x.sum(..)` over all. Of truth values it
    /// counts the true ones. Integers wrap around.
    sum sum_with sum_keepdim sum_keepdim_with SUM -> T::Sum;
    /// The product over axes. Integers wrap around.
    prod prod_with prod_keepdim prod_keepdim_with PROD -> T::Sum;
    /// The mean over axes.
    mean mean_with mean_keepdim mean_keepdim_with MEAN -> T::Real;
    /// The largest element over axes; NaN wins.
    max max_with max_keepdim max_keepdim_with MAX -> T;
    /// The smallest element over axes; NaN wins.
    min min_with min_keepdim min_keepdim_with MIN -> T;
    /// The square root of the sum of squares over axes.
    norm norm_with norm_keepdim norm_keepdim_with L2 -> T::Real;
    /// `ln` of the sum of `exp` over axes, with the maximum taken out first.
    log_sum_exp log_sum_exp_with log_sum_exp_keepdim log_sum_exp_keepdim_with LOG_SUM_EXP -> T::Real;
}
