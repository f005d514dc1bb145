//! Shapes and lists of axes.

use crate::{Error, Result, RANK_MAX};
use std::fmt;
use std::ops::{Deref, RangeFull};

const MOST: usize = RANK_MAX as usize;

/// The extents of a tensor; derefs to `[usize]`. A number, arrays, slices, vectors and tuples of
/// numbers become one by `into`, and `()` is the shape of a tensor without dimensions.
///
/// ```
/// use netcl::Shape;
/// let shape = Shape::from((2, 3, 4));
/// assert_eq!(shape, [2, 3, 4]);
/// assert_eq!((shape.len(), shape[1], shape.element_count()), (3, 3, Some(24)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    rank: u32,
    extents: [usize; MOST],
}

impl Shape {
    /// In [`AnyTensor::reshape`](crate::AnyTensor::reshape): as many as make the number of elements
    /// right.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// # let dev = netcl::Device::open("auto")?;
    /// let x = dev.zeros::<f32>((2, 3, 4))?;
    /// assert_eq!(x.reshape((2, netcl::Shape::INFER))?.shape(), [2, 12]);
    /// # Ok(())
    /// # }
    /// ```
    pub const INFER: usize = usize::MAX;

    fn of(extents: impl ExactSizeIterator<Item = usize>) -> Shape {
        let rank = u32::try_from(extents.len()).unwrap_or(u32::MAX);
        let mut shape = Shape { rank, extents: [0; MOST] };
        // Too many are refused by the call that gets them.
        shape.extents.iter_mut().zip(extents).for_each(|(place, extent)| *place = extent);
        shape
    }

    /// The extents that a struct of the library has.
    pub(crate) fn of_info(rank: u32, extents: &[i64; MOST]) -> Shape {
        Shape::of(extents[..rank as usize].iter().map(|&extent| extent as usize))
    }

    /// How many dimensions there are.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// How many elements a tensor of this shape has; `None` where no number says it.
    pub fn element_count(&self) -> Option<usize> {
        self.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent))
    }

    /// As C takes it.
    pub(crate) fn raw(&self, what: &str) -> Result<[i64; MOST]> {
        self.converted(what, |extent| i64::try_from(extent).ok())
    }

    /// As C takes it where [`Shape::INFER`] has a meaning.
    pub(crate) fn raw_to_infer(&self, what: &str) -> Result<[i64; MOST]> {
        self.converted(what, |extent| match extent {
            Shape::INFER => Some(-1),
            _ => i64::try_from(extent).ok(),
        })
    }

    fn converted(&self, what: &str, of: impl Fn(usize) -> Option<i64>) -> Result<[i64; MOST]> {
        if self.rank > RANK_MAX {
            let rank = self.rank;
            return Err(Error::invalid(format!("{what} has rank {rank}; {MOST} is the highest")));
        }
        let mut made = [0; MOST];
        for (k, &extent) in self.iter().enumerate() {
            made[k] = of(extent).ok_or_else(|| {
                Error::invalid(format!("{what}[{k}] is {extent}; {} is the largest", i64::MAX))
            })?;
        }
        Ok(made)
    }
}

impl Deref for Shape {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.extents[..MOST.min(self.rank as usize)]
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<'a> IntoIterator for &'a Shape {
    type Item = &'a usize;
    type IntoIter = std::slice::Iter<'a, usize>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<usize> for Shape {
    fn from_iter<I: IntoIterator<Item = usize>>(extents: I) -> Shape {
        extents.into_iter().collect::<Vec<_>>().into()
    }
}

impl From<&[usize]> for Shape {
    fn from(extents: &[usize]) -> Shape {
        Shape::of(extents.iter().copied())
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(extents: [usize; N]) -> Shape {
        Shape::of(extents.into_iter())
    }
}

impl<const N: usize> From<&[usize; N]> for Shape {
    fn from(extents: &[usize; N]) -> Shape {
        Shape::of(extents.iter().copied())
    }
}

impl From<Vec<usize>> for Shape {
    fn from(extents: Vec<usize>) -> Shape {
        Shape::of(extents.into_iter())
    }
}

impl From<&Vec<usize>> for Shape {
    fn from(extents: &Vec<usize>) -> Shape {
        Shape::of(extents.iter().copied())
    }
}

impl From<&Shape> for Shape {
    fn from(shape: &Shape) -> Shape {
        *shape
    }
}

impl From<usize> for Shape {
    fn from(extent: usize) -> Shape {
        Shape::from([extent])
    }
}

impl From<()> for Shape {
    fn from(_: ()) -> Shape {
        Shape::from([])
    }
}

macro_rules! tuples {
    ($(($($name:ident $type:ident)*))*) => {$(
        impl From<($($type,)*)> for Shape {
            fn from(($($name,)*): ($($type,)*)) -> Shape {
                Shape::from([$($name),*])
            }
        }
    )*};
}
tuples! {
    (a usize)
    (a usize b usize)
    (a usize b usize c usize)
    (a usize b usize c usize d usize)
    (a usize b usize c usize d usize e usize)
    (a usize b usize c usize d usize e usize f usize)
}

impl PartialEq<[usize]> for Shape {
    fn eq(&self, other: &[usize]) -> bool {
        **self == *other
    }
}

impl PartialEq<&[usize]> for Shape {
    fn eq(&self, other: &&[usize]) -> bool {
        **self == **other
    }
}

impl<const N: usize> PartialEq<[usize; N]> for Shape {
    fn eq(&self, other: &[usize; N]) -> bool {
        **self == *other
    }
}

impl PartialEq<Vec<usize>> for Shape {
    fn eq(&self, other: &Vec<usize>) -> bool {
        **self == **other
    }
}

/// Axes to reduce: `..` for all of them, a number, or an array or slice of numbers; negative ones
/// count from the end.
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// # let dev = netcl::Device::open("auto")?;
/// let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], (2, 2))?;
/// assert_eq!(x.sum(..)?.item()?, 10.0);
/// assert_eq!(x.sum(-1)?.to_vec()?, [3.0, 7.0]);
/// assert_eq!(x.sum([0, 1])?.item()?, 10.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes(Option<Vec<i32>>);

impl Axes {
    /// An empty list is all axes to C; here nobody has to know that, and `..` says it.
    pub(crate) fn list(self) -> Result<Vec<i32>> {
        match self.0 {
            Some(axes) if axes.is_empty() => {
                Err(Error::invalid("axes is empty; `..` is all axes".into()))
            }
            given => Ok(given.unwrap_or_default()),
        }
    }
}

impl From<RangeFull> for Axes {
    fn from(_: RangeFull) -> Axes {
        Axes(None)
    }
}

impl From<i32> for Axes {
    fn from(axis: i32) -> Axes {
        Axes(Some(vec![axis]))
    }
}

impl From<&[i32]> for Axes {
    fn from(axes: &[i32]) -> Axes {
        Axes(Some(axes.into()))
    }
}

impl<const N: usize> From<[i32; N]> for Axes {
    fn from(axes: [i32; N]) -> Axes {
        Axes(Some(axes.into()))
    }
}

impl<const N: usize> From<&[i32; N]> for Axes {
    fn from(axes: &[i32; N]) -> Axes {
        Axes(Some(axes.to_vec()))
    }
}
