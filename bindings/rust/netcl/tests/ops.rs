//! Every op through its methods and through its full form. What they compute is tested with the
//! library; here it is that each argument arrives where it belongs.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, refused};
use netcl::{
    op, primitive, variant, Activation, AnyTensor, BatchnormOptions, Conv2dBatchnorm,
    Conv2dOptions, Conv2dShape, Device, Dtype, Elementwise, ElementwiseOptions, Epilogue,
    Expression, GradientsOptions, Graph, GraphFormat, GraphOptions, HistogramOptions,
    MatmulOptions, MaxUnpool2dOptions, NormOptions, PadMode, PadOptions, Pooling, PoolingOptions,
    PrimitiveCallOptions, PrimitiveOptions, ReduceOptions, Reduction, ResizeCoordinates,
    ResizeMode, ResizeOptions, Result, RunOptions, ScanOptions, ScatterMode, ScatterOptions,
    Status, Toggle, TopkOptions, Variant, VariantOptions,
};

fn floats(tensor: AnyTensor) -> Vec<f32> {
    tensor.typed::<f32>().unwrap().to_vec().unwrap()
}

fn run() -> RunOptions<'static> {
    RunOptions::default()
}

#[track_caller]
fn close(got: impl Into<AnyTensor>, expected: &[f32]) {
    let got = floats(got.into());
    assert_eq!(got.len(), expected.len(), "{got:?}");
    for (a, b) in got.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-5 * (1.0 + b.abs()), "{got:?} is not {expected:?}");
    }
}

/// 0, 1, 2, ... in a shape.
fn counting(dev: &Device, shape: &[usize]) -> netcl::Tensor<f32> {
    let count: usize = shape.iter().product();
    dev.tensor(&(0..count).map(|v| v as f32).collect::<Vec<_>>(), shape).unwrap()
}

#[test]
fn matmul_takes_scale_and_epilogue() {
    let dev = device();
    let a = counting(&dev, &[2, 3]);
    let b = counting(&dev, &[3, 2]);
    close(a.any().matmul(&b).unwrap(), &[10.0, 13.0, 28.0, 40.0]);
    let bias = dev.tensor(&[-100.0f32, 1.0], [2]).unwrap();
    let epilogue = Epilogue::new().bias(&bias).activation(Activation::RELU);
    let options = MatmulOptions::new().epilogue(epilogue);
    close(op::matmul(&a, &b, options, run()).unwrap(), &[0.0, 14.0, 0.0, 41.0]);
    let into = dev.full([2, 2], 1.0f32).unwrap();
    let options = MatmulOptions::new().alpha(2.0).beta(3.0);
    let place = run().into(&into);
    op::matmul(&a, &b, options, place).unwrap();
    assert_eq!(into.to_vec().unwrap(), [23.0, 29.0, 59.0, 83.0]);
    fails(a.any().matmul(&a), Status::INVALID_ARGUMENT, "");
}

#[test]
fn convolution_and_pooling_see_their_windows() {
    let dev = device();
    let x = counting(&dev, &[1, 1, 3, 3]);
    let w = dev.full([1, 1, 2, 2], 1.0f32).unwrap();
    close(x.conv2d(&w).unwrap(), &[8.0, 12.0, 20.0, 24.0]);
    let (mean, variance) = (dev.full([1], 4.0f32).unwrap(), dev.full([1], 4.0f32).unwrap());
    let scale = dev.full([1], 10.0f32).unwrap();
    let batchnorm =
        Conv2dBatchnorm::new().mean(&mean).variance(&variance).scale(&scale).epsilon(1e-12);
    let options = Conv2dOptions::new().batchnorm(batchnorm).strides([2, 2]).padding([1, 1, 0, 0]);
    close(op::conv2d(&x, &w, options, run()).unwrap(), &[-20.0, -5.0, 25.0, 100.0]);

    close(x.pool(Pooling::MAX).unwrap(), &[8.0]);
    let options = PoolingOptions::new().window(&[2, 2]);
    let average = op::pool(&x, Pooling::AVERAGE, options, run()).unwrap();
    close(average, &[2.0, 3.0, 5.0, 6.0]);

    let options = PoolingOptions::new().window(&[2]).p(1.0);
    close(op::pool(&x, Pooling::LP, options, run()).unwrap(), &[8.0, 12.0, 20.0, 24.0]);
    let line = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], [1, 1, 4]).unwrap();
    let options = PoolingOptions::new().window(&[3]).padding(&[1, 0]);
    close(op::pool(&line, Pooling::MAX, options, run()).unwrap(), &[2.0, 3.0, 4.0]);

    let indices = dev.full([1, 1, 2, 2], 0i64).unwrap();
    let options = PoolingOptions::new().window(&[2, 2]).indices_into(&indices);
    let largest = op::pool(&x, Pooling::MAX, options, run()).unwrap();
    assert_eq!(indices.to_vec().unwrap(), [4, 5, 7, 8]);
    let options = MaxUnpool2dOptions::new().column_major(false);
    let back = op::max_unpool2d(&largest, &indices, 3, 3, options, run()).unwrap();
    close(back, &[0.0, 0.0, 0.0, 0.0, 4.0, 5.0, 0.0, 7.0, 8.0]);
}

#[test]
fn elementwise_operators_have_names() {
    let dev = device();
    let x = dev.tensor(&[-2.0f32, 0.5], [2]).unwrap();
    assert_eq!(netcl::elementwise_find("leaky_relu").unwrap(), Elementwise::LEAKY_RELU);
    assert_eq!(Elementwise::HARD_SIGMOID.name(), "HardSigmoid");
    fails(netcl::elementwise_find("nothing like it"), Status::NOT_FOUND, "");
    let options = ElementwiseOptions::new().alpha(0.5);
    let y = op::elementwise(Elementwise::LEAKY_RELU, &[&x], options, run()).unwrap();
    close(y, &[-1.0, 0.5]);
    let y = op::elementwise(Elementwise::ADD, &[&x, &x], Default::default(), run()).unwrap();
    close(y, &[-4.0, 1.0]);
    refused(op::elementwise(Elementwise(-1), &[&x], Default::default(), run()));
    refused(op::elementwise(Elementwise::ADD, &[&x], Default::default(), run()));
    let bias = dev.tensor(&[1.0f32, 2.0], [2]).unwrap();
    close(x.bias_add(&bias, 0).unwrap(), &[-1.0, 2.5]);
    close(op::bias_add(&x, &bias, -1, run()).unwrap(), &[-1.0, 2.5]);
}

#[test]
fn recorded_calls_have_gradients() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0, 3.0], [3]).unwrap();
    let graph = Graph::new(&dev).unwrap();
    let recorded = || RunOptions::new().graph(&graph);
    let y = op::expression_text("v0 * v0", &[&x], Default::default(), recorded()).unwrap();
    let sum = op::reduce(&y, Reduction::SUM, Default::default(), recorded()).unwrap();
    assert_eq!(graph.info().unwrap().call_count, 2);
    let [dx, dy] = <[AnyTensor; 2]>::try_from(graph.add_gradients(&[&sum], &[&x, &y]).unwrap())
        .unwrap_or_else(|all| panic!("{} gradients", all.len()));
    close(dx, &[2.0, 4.0, 6.0]);
    close(dy, &[1.0, 1.0, 1.0]);
    let into = dev.tensor(&[10.0f32, 10.0, 10.0], [3]).unwrap();
    let (seeds, places) = ([x.any()], [into.any()]);
    let options =
        GradientsOptions::new().seeds(&seeds).into(&places).accumulate(true).consume(true);
    let mut made = graph.add_gradients_with(&[&y], &[&x], options).unwrap();
    close(made.remove(0), &[12.0, 18.0, 28.0]);
    refused(graph.add_gradients(&[&sum], &[&x]));
    graph.try_clone().unwrap().clear().unwrap();
}

#[test]
fn captures_are_compiled_and_run() {
    let dev = device();
    let x = dev.tensor(&[0.0f32; 3], [3]).unwrap();
    let given = dev.tensor(&[1.0f32, 2.0, 3.0], [3]).unwrap();
    let out = dev.tensor(&[9.0f32; 3], [3]).unwrap();
    let options = GraphOptions::new().execute(Toggle::OFF);
    let graph = Graph::with_options(&dev, options).unwrap();
    let recorded = || RunOptions::new().graph(&graph);
    let y = op::expression_text("v0 * v0", &[&x], Default::default(), recorded()).unwrap();
    let z = op::expression_text("v0 + 1", &[&y], Default::default(), recorded()).unwrap();
    graph.compile(&[&x], &[&z]).unwrap();
    assert_eq!(graph.info().unwrap().step_count, 1);
    assert!(graph.explain(GraphFormat::TEXT).unwrap().contains("1 steps"));
    graph.run(&[&given], &[&out]).unwrap();
    refused(graph.run(&[&given], &[&given]));
    close(out, &[2.0, 5.0, 10.0]);
    close(graph.evaluate(&[&given]).unwrap().remove(0), &[2.0, 5.0, 10.0]);
}

#[test]
fn primitives_have_gradients() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0, 3.0], [3]).unwrap();
    let row = dev.tensor(&[10.0f32], [1]).unwrap();
    let backward = ["", "MUL(grad, out)"];
    let options = PrimitiveOptions::new()
        .arity(2)
        .forward("scale * v0 * v1")
        .backward(&backward)
        .attributes(&["scale"])
        .defaults(&[1.0]);
    primitive::register_with("rust_op", options).unwrap();
    refused(primitive::register_with("rust_op", options));
    refused(primitive::register_with("rust_more", PrimitiveOptions::new()));
    let none = PrimitiveCallOptions::default();
    close(op::primitive("rust_op", &[&x, &row], none, run()).unwrap(), &[10.0, 20.0, 30.0]);
    let call = PrimitiveCallOptions::new().attributes(&["scale"]).values(&[2.0]);
    close(op::primitive("rust_op", &[&x, &row], call, run()).unwrap(), &[20.0, 40.0, 60.0]);
    let y = op::primitive_gradient("rust_op", &[&x, &row], 0, &x, None, call, run()).unwrap();
    close(y, &[20.0, 40.0, 60.0]);
    // The sum of grad * out over what the second input was spread to.
    let y = op::primitive_gradient("rust_op", &[&x, &row], 1, &x, Some(&x), none, run()).unwrap();
    assert_eq!(y.shape(), [1]);
    close(y, &[14.0]);
    primitive::unregister("rust_op").unwrap();
    fails(primitive::unregister("rust_op"), Status::NOT_FOUND, "rust_op");
    let cube = Expression::new("v0 * v0 * v0").unwrap();
    let slope = cube.differentiate(0).unwrap();
    close(
        op::expression(&slope, &[&x, &x], Default::default(), run()).unwrap(),
        &[3.0, 24.0, 81.0],
    );
}

#[test]
fn reductions_and_scans_take_axes() {
    let dev = device();
    let x = counting(&dev, &[2, 3]);
    close(x.reduce(Reduction::SUM).unwrap(), &[15.0]);
    let options = ReduceOptions::new().axes(&[0]).keepdims(true);
    let sums = op::reduce(&x, Reduction::SUM, options, run()).unwrap();
    assert_eq!(sums.shape(), [1, 3]);
    close(sums, &[3.0, 5.0, 7.0]);
    let options = ReduceOptions::new().axes(&[1]);
    let best = op::reduce(&x, Reduction::ARGMAX, options, run()).unwrap();
    assert_eq!(best.typed::<i64>().unwrap().to_vec().unwrap(), [2, 2]);
    close(x.scan(Reduction::SUM, 1).unwrap(), &[0.0, 1.0, 3.0, 3.0, 7.0, 12.0]);
    let options = ScanOptions::new().exclusive(true).reverse(true);
    let scanned = op::scan(&x, Reduction::SUM, 0, options, run()).unwrap();
    close(scanned, &[3.0, 4.0, 5.0, 0.0, 0.0, 0.0]);

    let counts = x.histogram(2).unwrap();
    assert_eq!(counts.to_vec().unwrap(), [3, 3]);
    let options = HistogramOptions::new().low(0.0).high(2.0);
    let counts = op::histogram(&x, 2, options, run()).unwrap().typed::<i64>().unwrap();
    assert_eq!(counts.to_vec().unwrap(), [1, 2]);

    let (values, indices) = x.topk(2, 1).unwrap();
    close(values, &[2.0, 1.0, 5.0, 4.0]);
    assert_eq!(indices.to_vec().unwrap(), [2, 1, 2, 1]);
    let options = TopkOptions::new().smallest(true);
    close(op::topk(&x, 1, 1, options, run()).unwrap().0, &[0.0, 3.0]);
}

#[test]
fn normalisations_take_their_parameters() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 3.0, 2.0, 6.0], [2, 2]).unwrap();
    let e = [0.119_202_92f32, 0.880_797_1, 0.017_986_21, 0.982_013_8];
    close(x.softmax(1).unwrap(), &e);
    close(op::softmax(&x, -1, run()).unwrap(), &e);
    close(x.log_softmax(1).unwrap(), &e.map(|v| v.ln()));
    close(op::log_softmax(&x, 1, run()).unwrap(), &e.map(|v| v.ln()));
    let (scale, bias) = (dev.full([2], 2.0f32).unwrap(), dev.full([2], 0.5f32).unwrap());
    let options = NormOptions::new().scale(&scale).bias(&bias).epsilon(1e-12);
    close(op::layernorm(&x, 1, options, run()).unwrap(), &[-1.5, 2.5, -1.5, 2.5]);
    assert_eq!(x.layernorm(1).unwrap().shape(), [2, 2]);
    let (means, inverses) = (dev.full([2, 1], 0f32).unwrap(), dev.full([2, 1], 0f32).unwrap());
    let options =
        NormOptions::new().epsilon(1e-12).mean_into(&means).inverse_deviation_into(&inverses);
    close(op::layernorm(&x, 1, options, run()).unwrap(), &[-1.0, 1.0, -1.0, 1.0]);
    close(means, &[2.0, 4.0]);
    close(inverses, &[1.0, 0.5]);
    let options = NormOptions::new().scale(&scale).epsilon(1e-12);
    let r = 5f32.sqrt();
    let rms = op::rmsnorm(&x, 1, options, run()).unwrap();
    close(rms, &[2.0 / r, 6.0 / r, 4.0 / 20f32.sqrt(), 12.0 / 20f32.sqrt()]);
    assert_eq!(x.rmsnorm(1).unwrap().shape(), [2, 2]);

    let (mean, variance) = (dev.full([2], 1.0f32).unwrap(), dev.full([2], 4.0f32).unwrap());
    let options = BatchnormOptions::new().epsilon(1e-12).activation(Activation::RELU);
    let y = op::batchnorm(&x, &mean, &variance, options, run()).unwrap();
    close(y, &[0.0, 1.0, 0.5, 2.5]);
    assert_eq!(x.batchnorm(&mean, &variance).unwrap().shape(), [2, 2]);
}

#[test]
fn elements_are_moved() -> Result<()> {
    let dev = device();
    let x = counting(&dev, &[2, 3]);
    close(x.transpose(&[])?, &[0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    close(op::transpose(&x, &[1, 0], run())?, &[0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    assert_eq!(op::concat(&[&x, &x], 0, run())?.shape(), [4, 3]);
    close(op::einsum("ij,kj->ik", &[&x, &x], run())?, &[5.0, 14.0, 14.0, 50.0]);
    refused(op::concat(&[], 0, run()));
    assert_eq!(x.pad(&[0, 1, 0, 0])?.shape(), [2, 4]);
    let options = PadOptions::new().value(9.0f32).mode(PadMode::CONSTANT);
    let padded = op::pad(&x, &[0, 1, 0, 0], options, run())?;
    close(padded, &[9.0, 0.0, 1.0, 2.0, 9.0, 3.0, 4.0, 5.0]);
    let options = PadOptions::new().value(9i32);
    let wrong = op::pad(&x, &[0, 1, 0, 0], options, run());
    fails(wrong, Status::INVALID_ARGUMENT, "value is of dtype i32; f32");

    let last = dev.tensor(&[-1i32, 0], [2])?;
    close(x.gather(&last, 1)?, &[2.0, 0.0, 5.0, 3.0]);
    close(op::gather(&x, &last, 0, run())?, &[3.0, 4.0, 5.0, 0.0, 1.0, 2.0]);
    close(x.embedding(&last)?, &[3.0, 4.0, 5.0, 0.0, 1.0, 2.0]);
    close(op::embedding(&x, &last, run())?, &[3.0, 4.0, 5.0, 0.0, 1.0, 2.0]);
    let places = dev.tensor(&[2i64, 1], [2, 1])?;
    close(x.gather_elements(&places, 1)?, &[2.0, 4.0]);
    close(op::gather_elements(&x, &places, 1, run())?, &[2.0, 4.0]);
    let updates = dev.tensor(&[10.0f32, 20.0], [2, 1])?;
    close(x.scatter(&places, &updates, 1)?, &[0.0, 1.0, 10.0, 3.0, 20.0, 5.0]);
    let options = ScatterOptions::new().mode(ScatterMode::ADD);
    let added = op::scatter(&x, &places, &updates, 1, options, run())?;
    close(added, &[0.0, 1.0, 12.0, 3.0, 24.0, 5.0]);
    let points = dev.tensor(&[1i64, 2, 0, -1, 5, 0], [3, 2])?;
    close(x.gather_nd(&points, 0)?, &[5.0, 2.0, 0.0]);
    let three = dev.tensor(&[10.0f32, 20.0, 30.0], 3)?;
    close(x.scatter_nd(&points, &three, 0)?, &[0.0, 1.0, 20.0, 3.0, 4.0, 10.0]);
    let options = ScatterOptions::new().mode(ScatterMode::ADD);
    let added = x.scatter_nd_with(&points, &three, 0, options)?;
    close(added, &[0.0, 1.0, 22.0, 3.0, 4.0, 15.0]);
    let eight: Vec<f32> = (0u8..8).map(f32::from).collect();
    let deep = dev.tensor(&eight, [1, 8, 1, 1])?;
    let wide = deep.depth_to_space(2, netcl::DepthOrder::DCR)?;
    let mixed = [0.0, 2.0, 4.0, 6.0, 1.0, 3.0, 5.0, 7.0];
    close(wide.clone(), &mixed);
    close(wide.space_to_depth(2, netcl::DepthOrder::DCR)?, &eight);
    close(wide.space_to_depth(2, netcl::DepthOrder::CRD)?, &mixed);
    close(deep.depth_to_space(2, netcl::DepthOrder::CRD)?, &eight);

    close(x.resize([1, 3])?, &x.resize((1, 3))?.to_vec()?);
    let options =
        ResizeOptions::new().mode(ResizeMode::LINEAR).coordinates(ResizeCoordinates::ALIGN_CORNERS);
    close(op::resize(&x, [2, 2], options, run())?, &[0.0, 2.0, 3.0, 5.0]);
    Ok(())
}

#[test]
fn variants_are_chosen_and_explained() -> Result<()> {
    let dev = device();
    let asked = VariantOptions::new().dtype(Dtype::F32);
    let choice = variant::select_matmul(&dev, 256, 256, 256)?;
    assert!(!choice.reason.is_empty() && choice.variant != Variant::AUTO);
    assert!(choice.variant.name().starts_with("matmul_"), "{:?}", choice.variant);
    variant::select_matmul_with(&dev, 256, 256, 256, asked)?;
    let shape = Conv2dShape::new()
        .batch(1)
        .channels(8)
        .height(16)
        .width(16)
        .filters(8)
        .kernel_height(3)
        .kernel_width(3);
    variant::select_conv2d(&dev, shape)?;
    variant::select_conv2d_with(&dev, shape, asked)?;
    fails(variant::select_conv2d(&dev, Conv2dShape::default()), Status::INVALID_ARGUMENT, "");
    variant::select_elementwise(&dev, 1 << 20)?;
    variant::select_elementwise_with(&dev, 1 << 20, asked)?;
    variant::select_reduction(&dev, 1, 1 << 20)?;
    variant::select_reduction_with(&dev, 1, 1 << 20, asked)?;
    // The choice for another device, from what was recorded of it.
    let mut capabilities = dev.capabilities()?;
    capabilities.compute_units = 132;
    let info = dev.info()?;
    let recorded = VariantOptions::new().info(&info).capabilities(&capabilities);
    variant::select_matmul_with(&dev, 256, 256, 256, recorded)?;
    let plain = variant::select_batchnorm(&dev, 8, 16, 64, false, false)?;
    assert_eq!(plain.variant, Variant::BATCHNORM_NAIVE);
    variant::select_batchnorm_with(&dev, 8, 16, 64, true, true, asked)?;
    variant::clear_cache()
}

#[test]
fn kernels_for_products_are_sources() {
    let dev = device();
    let config = variant::select_matmul(&dev, 64, 64, 64).unwrap();
    let made = netcl::Kernel::matmul(&dev, "product", 64, 64, 64, Dtype::F32, &config);
    if !common::is_opencl(&dev) {
        fails(made, Status::UNSUPPORTED, "");
        return;
    }
    let (global, kernel) = made.unwrap();
    let a = dev.rand::<f32>(&[64, 64], 1).unwrap();
    let b = dev.rand::<f32>(&[64, 64], 2).unwrap();
    let c = dev.zeros::<f32>(&[64, 64]).unwrap();
    // SAFETY: the kernel was made for these sizes.
    unsafe { kernel.launch(global, (), &[(&a).into(), (&b).into(), (&c).into()]).unwrap() };
    close(c.any().clone(), &a.matmul(&b).unwrap().to_vec().unwrap());
}
