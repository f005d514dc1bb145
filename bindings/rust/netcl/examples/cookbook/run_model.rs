use netcl::{Device, Model, Result};

pub fn run(dev: &Device) -> Result<()> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/model/sample/classify.onnx");
    let image = dev.full((1, 3, 224, 224), -1.0f32)?;
    // [recipe]
    let model = Model::load(dev, file)?; // a path, such as "resnet50.onnx"
    let odds = model.evaluate(&[&image])?.remove(0);
    // [end]
    let odds = odds.typed::<f32>()?.to_vec()?;
    assert!(odds.len() == 4 && odds.iter().all(|odd| odd.is_finite()));
    Ok(())
}
