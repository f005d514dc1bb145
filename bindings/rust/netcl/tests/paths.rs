//! Files whose names are bytes that are no UTF-8, which the systems of Unix allow.
#![cfg(unix)]

mod common;
use common::{device, fails};
use netcl::{
    profile, AnyTensor, Ceilings, Group, Model, OptionalPath, ProfileOptions, Status, Timeout,
    TuningDatabase, Weights, WeightsFormat,
};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A folder of this process whose name is no text; it goes at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let mut name = format!("netcl-{}-", std::process::id()).into_bytes();
        name.extend_from_slice(b"\xff\xc3(");
        let made = std::env::temp_dir().join(OsStr::from_bytes(&name));
        assert!(made.to_str().is_none());
        std::fs::create_dir(&made).unwrap();
        Folder(made)
    }

    fn file(&self, name: &[u8]) -> PathBuf {
        self.0.join(OsStr::from_bytes(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn paths_need_not_be_text() {
    let dev = device();
    let folder = Folder::new();

    let trace = folder.file(b"trace\xfe.json");
    profile::start_with(ProfileOptions::new().trace_path(&trace)).unwrap();
    let x = dev.tensor(&[1.0f32, 2.0], [2]).unwrap();
    let npy = folder.file(b"x\xfe.npy");
    x.save_npy(&npy, Timeout::FOREVER).unwrap();
    profile::stop(Timeout::FOREVER).unwrap();
    assert!(std::fs::read_to_string(&trace).unwrap().starts_with('['));
    let loaded = AnyTensor::load_npy(&dev, &npy).unwrap().typed::<f32>().unwrap();
    assert_eq!(loaded.to_vec().unwrap(), [1.0, 2.0]);
    // The message has what can be read of the name.
    let none = folder.file(b"none\xfe.npy");
    fails(AnyTensor::load_npy(&dev, &none), Status::IO, "none");
    fails(Model::load(&dev, &none), Status::IO, "none");

    let weights = folder.file(b"w\xfe.safetensors");
    Weights::save(&weights, WeightsFormat::SAFETENSORS, &["x"], &[&x], Timeout::FOREVER).unwrap();
    assert_eq!(Weights::open(&dev, &weights).unwrap().names().unwrap(), ["x"]);

    let ceilings = folder.file(b"c\xfe");
    Ceilings::new().unwrap().save(&ceilings).unwrap();
    assert!(Ceilings::load(&ceilings).unwrap().get().unwrap().is_empty());

    let group = Group::join(&dev, folder.file(b"m\xfe"), 0, 1).unwrap();
    assert_eq!(group.info().unwrap().size, 1);
}

#[test]
fn a_path_may_be_left_out() {
    fn shown(path: impl OptionalPath) -> Option<PathBuf> {
        path.optional_path().map(PathBuf::from)
    }
    let path = PathBuf::from("a");
    assert_eq!(shown(None), None);
    assert_eq!(shown(Some(path.as_path())), Some(path.clone()));
    assert_eq!(shown("a"), Some(path.clone()));
    assert_eq!(shown(&path), Some(path.clone()));
    assert_eq!(shown(Path::new("a")), Some(path.clone()));
    assert_eq!(shown("a".to_string()), Some(path.clone()));
    assert_eq!(shown(path.clone()), Some(path));

    let folder = Folder(std::env::temp_dir().join(format!("netcl-{}-open", std::process::id())));
    std::fs::create_dir(&folder.0).unwrap();
    let file = folder.file(b"d\xfe.jsonl");
    let database = TuningDatabase::open(&file).unwrap();
    // A text has what can be read of it.
    assert!(database.info().unwrap().path.ends_with("-open/d"));
    fails(database.merge(&file), Status::IO, "-open/d\\xfe.jsonl\": there is no such file");
    assert!(TuningDatabase::open(":memory:").unwrap().info().unwrap().path.is_empty());
}
