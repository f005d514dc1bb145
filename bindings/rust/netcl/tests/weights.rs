//! Files of named tensors: each function once. What they read is tested with the library.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails};
use netcl::{
    AnyTensor, Dtype, Status, TensorOptions, Toggle, Weights, WeightsFormat, WeightsOptions,
    WeightsSaveOptions,
};
use std::time::Duration;

#[test]
fn weights_are_saved_and_opened() {
    let dev = device();
    let path = std::env::temp_dir().join(format!("netcl_weights_{}", std::process::id()));
    let path = path.to_str().unwrap();
    let a = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], [2, 2]).unwrap();
    let b = dev.tensor(&[7i64], []).unwrap();
    let (names, tensors): ([&str; 2], [&AnyTensor; 2]) = (["a", "b"], [&a, &b]);
    let (keys, values) = (["format"], ["rust"]);
    let options = WeightsSaveOptions::new().keys(&keys).values(&values);
    let format = WeightsFormat::SAFETENSORS;
    Weights::save_with(path, format, &names, &tensors, options, Duration::MAX).unwrap();
    let weights = Weights::open(&dev, path).unwrap().try_clone().unwrap();
    let info = weights.info().unwrap();
    assert_eq!((info.format, info.tensor_count, info.metadata_count), (format, 2, 1));
    assert_eq!(weights.metadata_key(0).unwrap(), "format");
    assert_eq!(weights.metadata("format").unwrap(), "rust");
    fails(weights.metadata("none"), Status::NOT_FOUND, "none");
    let entry = weights.entry(0).unwrap();
    assert_eq!((&*entry.name, &*entry.type_), ("a", "F32"));
    assert_eq!((entry.dtype, entry.byte_count), (Dtype::F32, 16));
    assert_eq!(weights.names().unwrap(), ["a", "b"]);
    assert_eq!(weights.find("b").unwrap(), 1);
    fails(weights.find("c"), Status::NOT_FOUND, "\"c\"");
    let values = weights.named("a").unwrap().typed::<f32>().unwrap().to_vec().unwrap();
    assert_eq!(values, [1.0, 2.0, 3.0, 4.0]);
    let again = weights.tensor_with(1, TensorOptions::default()).unwrap();
    assert_eq!(again.typed::<i64>().unwrap().to_vec().unwrap(), [7]);
    Weights::save(path, WeightsFormat::NPZ, &names, &tensors, Duration::MAX).unwrap();
    let options = WeightsOptions::new().map(Toggle::OFF);
    let copied = Weights::open_with(&dev, path, options).unwrap();
    std::fs::remove_file(path).unwrap();
    let tensor = copied.tensor(0).unwrap();
    assert!(!tensor.info().unwrap().mapped);
    assert_eq!(tensor.typed::<f32>().unwrap().to_vec().unwrap(), values);
}
