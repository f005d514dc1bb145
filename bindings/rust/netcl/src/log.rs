//! The log as an iterator.

use crate::{log_read, LogRecord, Status};

/// Records of the log, see [`log_records`].
#[derive(Clone, Debug)]
pub struct LogRecords {
    after: u64,
}

/// The records that are kept, from the first one whose sequence is greater than `after`. The
/// iterator ends where there is none; it goes on when it is asked again later.
///
/// ```
/// let mut seen = 0;
/// for record in netcl::log_records(0) {
///     assert!(record.sequence > seen);
///     seen = record.sequence;
/// }
/// ```
pub fn log_records(after: u64) -> LogRecords {
    LogRecords { after }
}

impl Iterator for LogRecords {
    type Item = LogRecord;

    fn next(&mut self) -> Option<LogRecord> {
        match log_read(self.after) {
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
