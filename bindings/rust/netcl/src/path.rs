//! A path that may be left out.

use std::path::{Path, PathBuf};

/// A path, or none for what the library takes then: `"a.jsonl"`, `&path_buf`, `Some(path)`, `None`.
pub trait OptionalPath {
    /// The path, unless there is none.
    fn optional_path(&self) -> Option<&Path>;
}

impl<P: AsRef<Path> + ?Sized> OptionalPath for &P {
    fn optional_path(&self) -> Option<&Path> {
        Some((**self).as_ref())
    }
}

impl OptionalPath for PathBuf {
    fn optional_path(&self) -> Option<&Path> {
        Some(self)
    }
}

impl OptionalPath for String {
    fn optional_path(&self) -> Option<&Path> {
        Some(self.as_ref())
    }
}

impl OptionalPath for Option<&Path> {
    fn optional_path(&self) -> Option<&Path> {
        *self
    }
}
