//! Models: each function once. What they compute is tested with the library.

mod common;
use common::{device, fails};
use netcl::{GraphFormat, Model, ModelOptions, Status};

/// A file of ONNX: y = x + [[1, 2], [3, 4]].
const FILE: &str = "080812003a5d0a110a01780a01771201791a016122034164641201672a1b0802080210\
    014201774a100000803f0000004000004040000080405a130a0178120e0a0c080112080a0208020a\
    02080262130a0179120e0a0c080112080a0208020a02080242040a00100d";

fn file() -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&FILE[i..i + 2], 16).unwrap();
    (0..FILE.len()).step_by(2).map(byte).collect()
}

#[test]
fn models_are_loaded_and_run() {
    let dev = device();
    let path = std::env::temp_dir().join(format!("netcl_model_{}.onnx", std::process::id()));
    std::fs::write(&path, file()).unwrap();
    let name = path.to_str().unwrap();
    assert!(Model::describe(name).unwrap().contains("op Add: 1"));
    let options = ModelOptions::new().forms_most(2);
    let loaded = Model::load_with(&dev, name, options).unwrap();
    drop(Model::load(&dev, name).unwrap());
    std::fs::remove_file(&path).unwrap();
    let model = Model::load_memory(&dev, &file()).unwrap().try_clone().unwrap();
    assert_eq!(model.input(0).unwrap().name, "x");
    assert_eq!(model.input(0).unwrap().dimensions, "[2, 2]");
    assert_eq!(model.output(0).unwrap().name, "y");
    assert_eq!(model.find_input("x").unwrap(), 0);
    assert_eq!(model.find_output("y").unwrap(), 0);
    fails(model.find_input("z"), Status::NOT_FOUND, "\"x\"");
    let x = dev.tensor(&[10.0f32, 20.0, 30.0, 40.0], [2, 2]).unwrap();
    let into = dev.tensor(&[0.0f32; 4], [2, 2]).unwrap();
    let made = model.evaluate(&[&x]).unwrap().remove(0).typed::<f32>().unwrap();
    assert_eq!(made.to_vec().unwrap(), [11.0, 22.0, 33.0, 44.0]);
    loaded.run(&[&x], &[&into]).unwrap();
    assert_eq!(into.to_vec().unwrap(), [11.0, 22.0, 33.0, 44.0]);
    assert!(model.explain(GraphFormat::TEXT).unwrap().contains("1 steps"));
    assert_eq!(model.info().unwrap().form_count, 1);
    drop(Model::load_memory_with(&dev, &file(), ModelOptions::default()).unwrap());
}
