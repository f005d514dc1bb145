//! Ranges and indices as Rust writes them.

use crate::Range;
use std::ops::{self, Bound, RangeBounds};

/// A range of indices (`2..5`, `..`, `3..=4`) or one index of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    start: i64,
    /// `None` for all that there is.
    end: Option<i64>,
    pub(crate) index: bool,
}

impl Part {
    /// The range in a dimension of this extent. One that reaches beyond it is left for the library
    /// to refuse.
    pub(crate) fn within(&self, extent: usize) -> Range {
        let end = self.end.unwrap_or(extent as i64);
        Range { start: self.start, extent: end.saturating_sub(self.start), step: 1 }
    }

    fn of(range: &impl RangeBounds<usize>) -> Part {
        // What no dimension has room for stays so.
        let number = |bound: usize| i64::try_from(bound).unwrap_or(i64::MAX);
        let start = match range.start_bound() {
            Bound::Included(&start) => number(start),
            Bound::Excluded(&start) => number(start).saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&end) => Some(number(end).saturating_add(1)),
            Bound::Excluded(&end) => Some(number(end)),
            Bound::Unbounded => None,
        };
        Part { start, end, index: false }
    }
}

impl From<usize> for Part {
    fn from(index: usize) -> Part {
        Part { index: true, ..Part::of(&(index..=index)) }
    }
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
ranges! {
    ops::Range<usize> ops::RangeFrom<usize> ops::RangeFull ops::RangeInclusive<usize>
    ops::RangeTo<usize> ops::RangeToInclusive<usize>
}

/// What [`Tensor::i`](crate::Tensor::i) takes: a range or an index, a tuple of up to eight of them,
/// or a slice of [`Part`]s.
pub trait Parts {
    /// One for each dimension from the first on.
    fn list(self) -> Vec<Part>;
}

impl Parts for usize {
    fn list(self) -> Vec<Part> {
        vec![self.into()]
    }
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
