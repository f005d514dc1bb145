//! What an op is asked for besides its inputs.

use crate::{Element, Error, Recording, Result, RunOptions};

impl RunOptions<'_> {
    /// Refuses, before anything is written, a tensor for the result that has not its element type.
    pub(crate) fn check_into<T: Element>(&self) -> Result<()> {
        let dtype = match self.into {
            Some(into) => into.info()?.dtype,
            None => return Ok(()),
        };
        if dtype == T::DTYPE {
            return Ok(());
        }
        let (own, wanted) = (dtype.name(), T::DTYPE.name());
        Err(Error::invalid(format!("run.into has dtype {own}; the result has {wanted}")))
    }
}

/// Options of an op and how it runs, which methods such as
/// [`Tensor::conv2d_with`](crate::Tensor::conv2d_with) take: the options alone, [`RunOptions`] or a
/// [`Recording`] alone, or both as a pair become this by `into`.
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// use netcl::{Activation, Epilogue, MatmulOptions, RunOptions};
/// # let dev = netcl::Device::open("auto")?;
/// let a = dev.rand::<f32>((4, 8), 1)?;
/// let b = dev.rand::<f32>((8, 2), 2)?;
/// let relu = MatmulOptions::new().epilogue(Epilogue::new().activation(Activation::RELU));
/// let y = a.matmul_with(&b, relu)?;
/// let kept = dev.zeros::<f32>((4, 2))?;
/// a.matmul_with(&b, RunOptions::new().into(&kept))?;
/// a.matmul_with(&b, (relu, RunOptions::new().into(&kept)))?;
/// assert_eq!(y.to_vec()?, kept.to_vec()?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct With<'a, O> {
    options: O,
    run: RunOptions<'a>,
}

impl<'a, O> With<'a, O> {
    pub(crate) fn parts(self) -> (O, RunOptions<'a>) {
        (self.options, self.run)
    }
}

/// What an op has as options: every struct of options but [`RunOptions`].
pub trait OpOptions: Default {}

impl<'a, O: OpOptions> From<O> for With<'a, O> {
    fn from(options: O) -> With<'a, O> {
        With { options, run: RunOptions::default() }
    }
}

impl<'a, O: OpOptions> From<RunOptions<'a>> for With<'a, O> {
    fn from(run: RunOptions<'a>) -> With<'a, O> {
        With { options: O::default(), run }
    }
}

impl<'a, O: OpOptions> From<(O, RunOptions<'a>)> for With<'a, O> {
    fn from((options, run): (O, RunOptions<'a>)) -> With<'a, O> {
        With { options, run }
    }
}

/// A recording in the place of how the call runs: it records it.
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// # let dev = netcl::Device::open("auto")?;
/// let w = dev.full((2, 2), 3.0f32)?;
/// let recording = netcl::Recording::new(&dev)?;
/// let y = w.matmul_with(&w, &recording)?;
/// let loss = y.sum_with(.., (&recording).into())?;
/// assert_eq!(recording.gradients(&loss, &w)?.to_vec()?, [12.0; 4]);
/// # Ok(())
/// # }
/// ```
impl<'a, O: OpOptions> From<&'a Recording> for With<'a, O> {
    fn from(recording: &'a Recording) -> With<'a, O> {
        With::from(recording.run())
    }
}

impl<'a, O: OpOptions> From<(O, &'a Recording)> for With<'a, O> {
    fn from((options, recording): (O, &'a Recording)) -> With<'a, O> {
        With { options, run: recording.run() }
    }
}

impl<'a> From<&'a Recording> for RunOptions<'a> {
    fn from(recording: &'a Recording) -> RunOptions<'a> {
        recording.run()
    }
}
