use netcl::{op, Device, Graph, GraphCall, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let serve = |call: &GraphCall| op::softmax(&call.inputs()[0], -1, call.run());
    let graph = Graph::from_function(dev, serve, 1)?;
    for batch in [1, 2, 4, 8] {
        // Each shape that requests will have: kernels are built here.
        let like = dev.zeros::<f32>((batch, 10))?;
        graph.compile(&[&like], &[])?;
    }
    // Now take requests.
    assert_eq!(graph.info()?.form_count, 4);
    // [end]
    Ok(())
}
