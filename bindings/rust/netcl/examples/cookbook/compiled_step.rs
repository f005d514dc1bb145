use netcl::{Device, Graph, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let weights = dev.tensor(&[1.0f32, 0.0, 0.0, 1.0], [2, 2])?;
    let x = dev.tensor(&[0.0f32, 1.0], [1, 2])?;
    let record = move |call: &netcl::GraphCall<'_>| {
        let x = call.input::<f32>(0)?; // call.gradients(&loss, &weights) makes a step of training
        x.matmul(&weights)?.relu()? + 1.0
    };
    let graph = Graph::from_function(dev, record, 1)?;
    for _ in 0..3 {
        // Recorded and compiled once, then only run.
        let y = graph.evaluate(&[&x])?.remove(0).typed::<f32>()?;
        assert_eq!(y.to_vec()?, [1.0, 2.0]);
    }
    // [end]
    Ok(())
}
