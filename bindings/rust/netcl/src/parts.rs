//! Ranges and indices as Rust writes them.

use crate::Range;
use std::ops::{self, Bound, RangeBounds};

/// A range of indices (`2..5`, `..`, `3..=4`) or one index of a dimension. Negative numbers count
/// from the end: `-1` is the last element, `-3..` the last three. Clippy takes `1..-1` for a range
/// without numbers; `#[allow(clippy::reversed_empty_ranges)]` tells it otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    start: i64,
    /// `None` for all that there is.
    end: Option<i64>,
    step: i64,
    pub(crate) index: bool,
}

impl Part {
    /// Every so many elements of the range. A negative step goes backwards, from the last one of the
    /// range: `Part::from(..).step(-1)` turns a dimension round.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// use netcl::Part;
    /// let x = netcl::Device::open("auto")?.arange(0, 6)?;
    /// assert_eq!(x.i(Part::from(1..).step(2))?.to_vec()?, [1, 3, 5]);
    /// assert_eq!(x.i(Part::from(..-1).step(-2))?.to_vec()?, [4, 2, 0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn step(self, step: isize) -> Part {
        Part { step: step as i64, ..self }
    }

    /// The range in a dimension of this extent. One that reaches beyond it is left for the library
    /// to refuse, and so is a step of 0.
    pub(crate) fn within(&self, extent: usize) -> Range {
        let extent = i64::try_from(extent).unwrap_or(i64::MAX);
        let place = |at: i64| if at < 0 { at + extent } else { at };
        let (start, end) = (place(self.start), self.end.map_or(extent, place));
        let (count, size) = (end.saturating_sub(start), self.step.saturating_abs());
        // Bounds that are beyond the dimension are to be seen as such, whatever the step leaves out.
        let beyond = start < 0 || end > extent;
        if count <= 0 || beyond || self.step == 0 {
            return Range { start, extent: count, step: if beyond { 1 } else { self.step } };
        }
        let first = if self.step < 0 { end - 1 } else { start };
        Range { start: first, extent: (count - 1) / size + 1, step: self.step }
    }

    fn of<I: Index>(range: &impl RangeBounds<I>) -> Part {
        let start = match range.start_bound() {
            Bound::Included(&start) => start.number(),
            Bound::Excluded(&start) => start.number().saturating_add(1),
            Bound::Unbounded => 0,
        };
        // Behind the last element, which is -1, nothing is left out.
        let behind = |end: i64| if end == -1 { None } else { Some(end.saturating_add(1)) };
        let end = match range.end_bound() {
            Bound::Included(&end) => behind(end.number()),
            Bound::Excluded(&end) => Some(end.number()),
            Bound::Unbounded => None,
        };
        Part { start, end, step: 1, index: false }
    }
}

/// Numbers that are indices.
trait Index: Copy {
    /// What no dimension has room for stays so.
    fn number(self) -> i64;
}

macro_rules! ranges {
    ($($type:ty)*) => {$(
        impl From<$type> for Part {
            fn from(range: $type) -> Part {
                Part::of(&range)
            }
        }

        impl Parts for $type {
            fn list(self) -> Vec<Part> {
                vec![self.into()]
            }
        }
    )*};
}

macro_rules! indices {
    ($($type:ty: $convert:expr;)*) => {$(
        impl Index for $type {
            fn number(self) -> i64 {
                $convert(self)
            }
        }

        impl From<$type> for Part {
            fn from(index: $type) -> Part {
                Part { index: true, ..Part::of(&(index..=index)) }
            }
        }

        impl Parts for $type {
            fn list(self) -> Vec<Part> {
                vec![self.into()]
            }
        }

        ranges! {
            ops::Range<$type> ops::RangeFrom<$type> ops::RangeInclusive<$type> ops::RangeTo<$type>
            ops::RangeToInclusive<$type>
        }
    )*};
}

// Numbers without a suffix are i32.
indices! {
    i32: i64::from;
    isize: |index| index as i64;
    usize: |index| i64::try_from(index).unwrap_or(i64::MAX);
}

impl From<ops::RangeFull> for Part {
    fn from(_: ops::RangeFull) -> Part {
        Part { start: 0, end: None, step: 1, index: false }
    }
}

impl Parts for ops::RangeFull {
    fn list(self) -> Vec<Part> {
        vec![self.into()]
    }
}

impl Parts for Part {
    fn list(self) -> Vec<Part> {
        vec![self]
    }
}

/// What [`Tensor::i`](crate::Tensor::i) takes: a range, an index or a [`Part`], a tuple of up to eight
/// of them, or a slice of [`Part`]s.
pub trait Parts {
    /// One for each dimension from the first on.
    fn list(self) -> Vec<Part>;
}

impl Parts for &[Part] {
    fn list(self) -> Vec<Part> {
        self.to_vec()
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt)*))*) => {$(
        impl<$($name: Into<Part>),*> Parts for ($($name,)*) {
            fn list(self) -> Vec<Part> {
                vec![$(self.$at.into()),*]
            }
        }
    )*};
}
tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}
