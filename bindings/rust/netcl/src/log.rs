//! The log: records with levels, read as an iterator or by a function.

pub use crate::generated::log::*;
use crate::{LogRecord, Status};

/// Records of the log, see [`records`].
#[derive(Clone, Debug)]
pub struct Records {
    after: u64,
}

/// The records that are kept, from the first one whose sequence is greater than `after`. The
/// iterator ends where there is none; it goes on when it is asked again later.
///
/// ```
/// let mut seen = 0;
/// for record in netcl::log::records(0) {
///     assert!(record.sequence > seen);
///     seen = record.sequence;
/// }
/// ```
pub fn records(after: u64) -> Records {
    Records { after }
}

impl Iterator for Records {
    type Item = LogRecord;

    fn next(&mut self) -> Option<LogRecord> {
        match read(self.after) {
            Ok(record) => {
                self.after = record.sequence;
                Some(record)
            }
            Err(error) => {
                debug_assert_eq!(error.status, Status::NOT_FOUND);
                None
            }
        }
    }
}
