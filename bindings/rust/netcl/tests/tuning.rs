//! Parameter spaces and configurations.

mod common;
use common::{device, fails, refused};
use netcl::{Config, Space, Status};

#[test]
fn a_space_counts_its_configurations() {
    let capabilities = device().capabilities().unwrap();
    let space = Space::new().unwrap();
    space.add_ints("TILE", &[8, 16, 32]).unwrap();
    space.add_floats("SCALE", &[0.5, 1.5]).unwrap();
    space.add_bool("FAST").unwrap();
    space.add_texts("MODE", &["rows", "columns"]).unwrap();
    space.add_constraint("TILE <= 16 or FAST").unwrap();
    assert_eq!(space.count(None).unwrap(), 2 * 2 * 2 * 2 + 2 * 2);
    assert_eq!(space.count(Some(&capabilities)).unwrap(), 20);
    let config = space.config(&capabilities, 0).unwrap();
    assert_eq!(config.int("TILE").unwrap(), 8);
    assert_eq!(config.float("SCALE").unwrap(), 0.5);
    assert_eq!(config.int("FAST").unwrap(), 0);
    assert_eq!(config.text("MODE").unwrap(), "rows");
    assert!(config.json().unwrap().contains("\"TILE\""));
    assert_eq!(space.explain(&capabilities, &config).unwrap(), "");
    fails(space.config(&capabilities, 20), Status::NOT_FOUND, "");
    fails(config.int("NONE"), Status::NOT_FOUND, "TILE");
    fails(config.int("MODE"), Status::INVALID_ARGUMENT, "");

    let wrong = r#"{"TILE": 32, "SCALE": 0.5, "FAST": false, "MODE": "rows"}"#;
    let wrong = Config::from_json(wrong).unwrap();
    assert!(space.explain(&capabilities, &wrong).unwrap().contains("TILE"));
    fails(space.add_constraint("TILE <="), Status::INVALID_ARGUMENT, "");
    space.set_work_size(Some("ceil(global_x / TILE) * TILE"), Some("TILE")).unwrap();
    space.set_work_size(Some("TILE"), None).unwrap();
    fails(space.set_work_size(None, Some("TILE *")), Status::INVALID_ARGUMENT, "local_size");
    refused(space.add_ints("TILE", &[1]));
    refused(space.add_ints("EMPTY", &[]));
    refused(space.add_texts("A B", &["x"]));
    refused(Config::from_json("{"));
    fails(Space::from_t1("{}"), Status::CORRUPT_DATA, "");
}

#[test]
fn references_may_be_added() {
    let space = Space::new().unwrap();
    let config = Config::from_json("{\"A\": 1}").unwrap();
    // SAFETY: all references stay on this thread.
    unsafe {
        drop(space.try_clone().unwrap());
        drop(config.try_clone().unwrap());
    }
    assert_eq!(config.int("A").unwrap(), 1);
}
