//! Tensors that are made of numbers, and what is often made of tensors, by the names that Rust's
//! users know.

use crate::sugar::expr;
use crate::{no_recording, op, AnyTensor, Axes, Device, Element, Error, Float, Part, Result};
use crate::{RunOptions, Scalar, Shape, Tensor};

impl Device {
    /// A tensor of ones.
    pub fn ones<T: Element>(&self, shape: impl Into<Shape>) -> Result<Tensor<T>> {
        Tensor::ones(self, shape)
    }

    /// `start`, `start + 1`, ... as long as it is less than `end`.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// assert_eq!(dev.arange(0, 6)?.reshape((2, 3))?.i((.., -1))?.to_vec()?, [2, 5]);
    /// assert_eq!(dev.arange_step(1.0f32, 0.0, -0.25)?.to_vec()?, [1.0, 0.75, 0.5, 0.25]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn arange<T: Element>(&self, start: T, end: T) -> Result<Tensor<T>> {
        self.counted(Scalar::of(start), Scalar::of(end), Scalar::one(T::DTYPE))
    }

    /// `start`, `start + step`, ... as long as `end` is not reached: from above where `step` is
    /// negative.
    #[doc(alias = "range")]
    pub fn arange_step<T: Element>(&self, start: T, end: T, step: T) -> Result<Tensor<T>> {
        self.counted(Scalar::of(start), Scalar::of(end), Scalar::of(step))
    }

    fn counted<T: Element>(&self, start: Scalar, end: Scalar, step: Scalar) -> Result<Tensor<T>> {
        let count = match (start.whole(), end.whole(), step.whole()) {
            (Some(_), Some(_), Some(0)) => None,
            (Some(start), Some(end), Some(step)) => {
                let (way, size) = (if step > 0 { end - start } else { start - end }, step.abs());
                usize::try_from(((way + size - 1) / size).max(0)).ok()
            }
            _ => {
                let count = ((end.real() - start.real()) / step.real()).ceil();
                // The largest number of elements that an allocation may be asked for.
                (count < 9e15).then(|| count.max(0.0) as usize).filter(|_| step.real() != 0.0)
            }
        };
        let count = count.ok_or_else(|| {
            let (start, end, step) = (start.real(), end.real(), step.real());
            Error::invalid(format!("from {start} to {end} by {step} is no range"))
        })?;
        let made = Tensor::zeros(self, count)?;
        no_recording(|| op::range(&made, start, step, RunOptions::default()))?;
        Ok(made)
    }

    /// `count` numbers, as far from each other, of which the first is `start` and the last `end`.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// assert_eq!(dev.linspace::<f32>(0.0, 1.0, 5)?.to_vec()?, [0.0, 0.25, 0.5, 0.75, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn linspace<T: Float>(&self, start: f64, end: f64, count: usize) -> Result<Tensor<T>> {
        let steps = (count.max(2) - 1) as f64;
        let wide = T::DTYPE == f64::DTYPE;
        // A way that no float is long enough for has steps that are, and two numbers need none.
        let step = if (end - start).is_finite() {
            (end - start) / steps
        } else {
            end / steps - start / steps
        };
        let most = if wide { f64::MAX } else { f32::MAX.into() };
        let step = step.clamp(-most, most);
        let (first, last) = if wide {
            (Scalar::of(start), Scalar::of(end))
        } else {
            (Scalar::of(start as f32), Scalar::of(end as f32))
        };
        let step = if wide { Scalar::of(step) } else { Scalar::of(step as f32) };
        no_recording(|| {
            let made = AnyTensor::zeros(self, first.dtype(), count, None)?;
            op::range(&made, first, step, RunOptions::default())?;
            if count > 1 {
                let ends = [Part::from(-1).within(count)];
                op::fill(made.slice(&ends)?, last, RunOptions::default())?;
            }
            op::cast(made, T::DTYPE, RunOptions::default())?.typed()
        })
    }

    /// The unit matrix of `n` rows. [`AnyTensor::eye`] fills a tensor of another shape.
    pub fn eye<T: Element>(&self, n: usize) -> Result<Tensor<T>> {
        let made = Tensor::zeros(self, (n, n))?;
        no_recording(|| op::eye(&made, 0, RunOptions::default()))?;
        Ok(made)
    }
}

impl<T: Element> Tensor<T> {
    /// A tensor of ones.
    pub fn ones(device: &Device, shape: impl Into<Shape>) -> Result<Tensor<T>> {
        AnyTensor::full(device, T::DTYPE, shape, None, Scalar::one(T::DTYPE))?.typed()
    }

    /// A tensor of ones with the shape of this one, on its device.
    pub fn ones_like(&self) -> Result<Tensor<T>> {
        Tensor::ones(&self.device()?, self.shape())
    }

    /// A line of `depth` elements for each index: 1 at its place, 0 elsewhere. Negative indices count
    /// from the end. [`AnyTensor::one_hot`] takes other values, and another axis than the last.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// let lines = dev.tensor(&[1, -1], 2)?.one_hot::<f32>(3)?;
    /// assert_eq!(lines.to_vec()?, [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn one_hot<U: Element>(&self, depth: usize) -> Result<Tensor<U>> {
        let depth = i64::try_from(depth).unwrap_or(i64::MAX);
        let (on, off) = (Scalar::one(U::DTYPE), Scalar::of(U::default()));
        op::one_hot(self, depth, -1, U::DTYPE, on, off, RunOptions::default())?.typed()
    }

    /// Each matrix with zeros above diagonal `k`.
    pub fn tril(&self, k: i64) -> Result<Tensor<T>> {
        self.trilu(false, k)
    }

    /// Each matrix with zeros below diagonal `k`: with 1 what is above the main diagonal stays.
    pub fn triu(&self, k: i64) -> Result<Tensor<T>> {
        self.trilu(true, k)
    }

    /// The variance over axes: the sum of squared distances to the mean, over their number less
    /// `ddof`. 0 is for all there is, 1 for a sample of more.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// let x = dev.tensor(&[1.0f32, 3.0, 5.0, 7.0], (2, 2))?;
    /// assert_eq!(x.var(1, 0)?.to_vec()?, [1.0, 1.0]);
    /// assert_eq!(x.std(.., 0)?.item()?, 5.0f32.sqrt());
    /// # Ok(())
    /// # }
    /// ```
    pub fn var(&self, axes: impl Into<Axes>, ddof: usize) -> Result<Tensor<T::Real>> {
        let axes = axes.into();
        if let Some(wide) = self.in_f32()? {
            return op::cast(&wide.var(axes, ddof)?, T::Real::DTYPE, RunOptions::default())?
                .typed();
        }
        let mean = self.mean_keepdim(axes.clone())?;
        let squares: Tensor<T::Real> = expr("square(v0 - v1)", &[self, &mean])?.typed()?;
        let of_all: Tensor<T::Real> = squares.mean(axes)?.typed()?;
        if ddof == 0 {
            return Ok(of_all);
        }
        // So many elements share one mean.
        let each = self.len()? as f64 / mean.len()?.max(1) as f64;
        let factor = each / (each - ddof as f64).max(0.0);
        let text = if factor.is_finite() { format!("v0 * {factor:e}") } else { "v0 * inf".into() };
        expr(&text, &[&of_all])?.typed()
    }

    /// The standard deviation over axes: the square root of [`Self::var`].
    pub fn std(&self, axes: impl Into<Axes>, ddof: usize) -> Result<Tensor<T::Real>> {
        if let Some(wide) = self.in_f32()? {
            return op::cast(&wide.std(axes, ddof)?, T::Real::DTYPE, RunOptions::default())?
                .typed();
        }
        let variance = self.var(axes, ddof)?;
        expr("sqrt(v0)", &[&variance])?.typed()
    }

    /// Floats of 16 bits in f32: they have too few bits for a mean that others are measured from, and
    /// their squares are soon out of range.
    fn in_f32(&self) -> Result<Option<Tensor<f32>>> {
        if T::Real::DTYPE.size() != 2 {
            return Ok(None);
        }
        op::cast(self, f32::DTYPE, RunOptions::default())?.typed().map(Some)
    }
}
