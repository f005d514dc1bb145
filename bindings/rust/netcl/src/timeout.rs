//! How long to wait.

use std::time::Duration;

/// The longest time a call may wait, in nanoseconds.
///
/// ```
/// use netcl::Timeout;
/// use std::time::Duration;
/// assert_eq!(Timeout::from(Duration::from_micros(2)), Timeout(2000));
/// assert_eq!(Timeout::from(Duration::MAX), Timeout::FOREVER);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timeout(pub u64);

impl Timeout {
    /// Looks once and does not wait.
    pub const POLL: Timeout = Timeout(0);
    /// Waits without limit.
    pub const FOREVER: Timeout = Timeout(crate::WAIT_FOREVER);
}

impl From<Duration> for Timeout {
    fn from(time: Duration) -> Timeout {
        Timeout(u64::try_from(time.as_nanos()).unwrap_or(crate::WAIT_FOREVER))
    }
}
