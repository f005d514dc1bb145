//! Errors: the status of a call with the message that the library left for it.

use crate::{sys, Status};
use std::fmt;

/// What went wrong. `Debug` writes it as `Display` does, so that a `main` that returns it tells a
/// message of several lines as such.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    /// Which kind of failure; compare it with the constants of [`Status`].
    pub status: Status,
    /// The OpenCL code, 0 when no driver was involved.
    pub native_code: i32,
    /// One line that names the argument and its value.
    pub message: String,
}

/// `std::result::Result` with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error that this crate found itself.
    pub(crate) fn invalid(message: String) -> Error {
        Error { status: Status::INVALID_ARGUMENT, native_code: 0, message }
    }

    /// What `Vec::try_reserve_exact` says, as an error of the library.
    pub(crate) fn no_room(elements: usize, size: usize) -> Error {
        Error {
            status: Status::OUT_OF_HOST_MEMORY,
            native_code: 0,
            message: format!("no memory of the host for {elements} elements of {size} bytes"),
        }
    }

    /// Copies what the failing call left on this thread, before another call can replace it.
    #[cold]
    pub(crate) fn last(status: sys::netcl_status) -> Error {
        let mut info = sys::netcl_error_info::INIT;
        // SAFETY: struct_size is set and the struct outlives the call.
        let got = unsafe { sys::netcl_last_error_get_info(&mut info) };
        let known = got == sys::NETCL_OK && info.status == status;
        Error {
            status: Status(status),
            native_code: if known { info.native_code } else { 0 },
            message: if known {
                in_rust(status, &crate::Text(info.message))
            } else {
                Status(status).name().to_string()
            },
        }
    }
}

/// A message with `axes.len()` where C has axes_count beside axes.
fn in_rust(status: sys::netcl_status, message: &str) -> String {
    if status == sys::NETCL_ERROR_BUILD_FAILURE {
        return message.to_string(); // It is the compiler's.
    }
    // Where a message speaks of a parameter; text of the program's own stands elsewhere.
    let speaks = ["and", "as", "from", "of", "or", "to", "while", "with"];
    let mut before = ";";
    let words = message.split(' ').map(|word| {
        let spoken = before.ends_with(';') || speaks.contains(&before);
        before = word;
        let name = word.trim_end_matches(|c| matches!(c, ',' | ';' | ')'));
        match crate::generated::length_of(name) {
            Some(length) if spoken => word.replace(name, length),
            _ => word.to_string(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?}", self.message, self.status)?;
        if self.native_code != 0 {
            write!(f, ", OpenCL {}", self.native_code)?;
        }
        f.write_str(")")
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// Turns a status into a result.
#[inline]
pub(crate) fn check(status: sys::netcl_status) -> Result<()> {
    if status == sys::NETCL_OK {
        Ok(())
    } else {
        Err(Error::last(status))
    }
}
