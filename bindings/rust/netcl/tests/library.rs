//! The library itself: versions, log, exit and interrupts. Alone in its process, since some of this
//! is for all of it.

mod common;
use common::{device, fails, refused};
use netcl::{interrupt, library, log, LogLevel, Status, Timeout};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

// One test at a time: the log belongs to the process, and a record is delivered on whichever thread
// calls the library next, even by a test that only asks for the version.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn versions_agree() {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    let info = library::info().unwrap();
    assert_eq!(info.version_number, netcl::VERSION_NUMBER);
    assert_eq!(info.version_number, netcl::version::number());
    assert_eq!(info.version.as_str(), netcl::version::string());
    assert_eq!(netcl::version::string(), env!("CARGO_PKG_VERSION"));
    assert_eq!(Status::TIMEOUT.name(), "NETCL_ERROR_TIMEOUT");
    assert!(!info.compiler.is_empty());
}

/// Releasing a bad handle is logged; it is an easy way to make a record.
fn make_a_record() {
    let stale = netcl::Expression::new("v0").unwrap().into_raw();
    // SAFETY: the second release is refused, which is what makes the record.
    unsafe {
        netcl::sys::netcl_expression_release(stale);
        netcl::sys::netcl_expression_release(stale);
    }
}

#[test]
fn the_log_is_an_iterator_and_calls_back() {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    struct Dropped(Arc<AtomicUsize>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    log::set_level(LogLevel::DEBUG).unwrap();
    let before = log::records(0).map(|r| r.sequence).last().unwrap_or(0);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let dropped = Arc::new(AtomicUsize::new(0));
    let (keep, guard) = (seen.clone(), Dropped(dropped.clone()));
    log::set_callback(Some(Box::new(move |record| {
        let _ = &guard;
        keep.lock().unwrap().push(record.message.to_string());
        // A panic ends here and not in the library.
        std::panic::resume_unwind(Box::new("thrown in a callback"));
    })))
    .unwrap();
    make_a_record();
    netcl::library::info().unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 0);
    log::set_callback(None).unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
    let records: Vec<_> = log::records(before).collect();
    assert!(!records.is_empty());
    assert!(records.iter().all(|r| r.sequence > before && r.level <= LogLevel::DEBUG));
    let seen = seen.lock().unwrap();
    assert!(records.iter().any(|r| seen.contains(&r.message.to_string())), "{seen:?}");
    let mut rest = log::records(u64::MAX - 1);
    assert!(rest.next().is_none() && rest.next().is_none());
    refused(log::set_level(LogLevel(17)));
    log::set_level(LogLevel::WARNING).unwrap();
}

/// What a panic carries may panic when it is dropped, and so may what a function keeps: neither gets
/// into the library.
#[test]
fn panics_in_drop_end_at_the_callback() {
    struct Throws(&'static str);
    impl Drop for Throws {
        fn drop(&mut self) {
            std::panic::panic_any(Other(self.0));
        }
    }
    struct Other(&'static str);
    impl Drop for Other {
        fn drop(&mut self) {
            std::panic::resume_unwind(Box::new(self.0));
        }
    }
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    let kept = Throws("kept by the function");
    log::set_callback(Some(Box::new(move |_| {
        let _ = &kept;
        std::panic::resume_unwind(Box::new(Throws("carried by a panic")));
    })))
    .unwrap();
    make_a_record();
    netcl::library::info().unwrap();
    log::set_callback(None).unwrap();
}

#[test]
fn waits_and_interrupts_are_settings() {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    library::set_exit_timeout(Duration::from_secs(1)).unwrap();
    interrupt::disable().unwrap();
    interrupt::enable(0).unwrap();
    interrupt::disable().unwrap();
}

#[test]
fn shutdown_leaves_everything_usable() {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    let dev = device();
    let x = dev.full([10], 3i32).unwrap();
    netcl::shutdown(Timeout::FOREVER).unwrap();
    assert_eq!(x.to_vec().unwrap(), [3; 10]);
    fails(netcl::Expression::new(""), Status::INVALID_ARGUMENT, "");
}
