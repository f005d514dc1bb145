//! Typed tensors through ops by name, shapes, parts, and operators between tensors and results.

mod common;
use common::{device, fails};
use netcl::{
    op, Activation, AdamOptions, AnyTensor, AttentionOptions, Axes, Conv2dOptions, Device, Element,
    Elementwise, ElementwiseOptions, Epilogue, Float, MatmulOptions, Part, Pooling, Reduction,
    Result, RunOptions, Shape, Status, Tensor, F16,
};

fn close(got: Tensor<f32>, expected: &[f32]) {
    let got = got.to_vec().unwrap();
    assert_eq!(got.len(), expected.len(), "{got:?}");
    for (a, b) in got.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-5 * (1.0 + b.abs()), "{got:?} is not {expected:?}");
    }
}

#[test]
fn shapes_come_from_what_lists_numbers() {
    let list = vec![2usize, 3];
    for shape in [
        Shape::from([2, 3]),
        Shape::from(&[2, 3]),
        Shape::from((2, 3)),
        Shape::from(&list),
        Shape::from(&list[..]),
        Shape::from(list.clone()),
        Shape::from(&Shape::from((2, 3))),
    ] {
        assert_eq!(shape, [2, 3]);
        assert_eq!((shape.rank(), shape.len(), shape.element_count()), (2, 2, Some(6)));
        assert_eq!(format!("{shape:?}"), "[2, 3]");
        assert_eq!(shape, list);
        assert_eq!(shape, &list[..]);
    }
    assert_eq!(Shape::from(7), [7]);
    assert_eq!(Shape::from(()), [0; 0]);
    assert_eq!(Shape::from(()).element_count(), Some(1));
    assert_eq!(Shape::from((usize::MAX, 2)).element_count(), None);
    assert_ne!(Shape::from((2, 3)), Shape::from((2, 3, 1)));
    let dev = device();
    fails(dev.zeros::<f32>([1; 9]), Status::INVALID_ARGUMENT, "shape has rank 9; 8 is the highest");
    let named = format!("shape[0] is {}; {} is the largest", usize::MAX, i64::MAX);
    fails(dev.zeros::<f32>(usize::MAX), Status::INVALID_ARGUMENT, &named);
    let above = 1 << 63;
    let named = format!("shape[1] is {above}; ");
    fails(dev.zeros::<f32>((2, above)), Status::INVALID_ARGUMENT, &named);
    let x = dev.zeros::<f32>((2, 6)).unwrap();
    fails(x.reshape((Shape::INFER, above)), Status::INVALID_ARGUMENT, &named);
    assert_eq!(x.reshape((3, Shape::INFER)).unwrap().shape(), [3, 4]);
    fails(x.reshape((Shape::INFER, Shape::INFER)), Status::INVALID_ARGUMENT, "");
}

#[test]
fn axes_are_all_one_or_some() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], (1, 2, 3)).unwrap();
    close(x.sum(..).unwrap(), &[21.0]);
    close(x.sum(-1).unwrap(), &[6.0, 15.0]);
    close(x.sum([0, 2]).unwrap(), &[6.0, 15.0]);
    close(x.sum([1]).unwrap(), &[5.0, 7.0, 9.0]);
    close(x.sum(&[1][..]).unwrap(), &[5.0, 7.0, 9.0]);
    assert_eq!(x.sum_keepdim(1).unwrap().shape(), [1, 1, 3]);
    close(x.mean(2).unwrap(), &[2.0, 5.0]);
    close(x.max([1]).unwrap(), &[4.0, 5.0, 6.0]);
    close(x.min(2).unwrap(), &[1.0, 4.0]);
    close(x.prod(2).unwrap(), &[6.0, 120.0]);
    close(x.norm(..).unwrap(), &[91f32.sqrt()]);
    assert_eq!(x.argmax(2).unwrap().to_vec().unwrap(), [2, 2]);
    assert_eq!(x.argmin(-1).unwrap().to_vec().unwrap(), [0, 0]);
    close(x.cumsum(2).unwrap(), &[1.0, 3.0, 6.0, 4.0, 9.0, 15.0]);
    close(x.cumprod(2).unwrap(), &[1.0, 2.0, 6.0, 4.0, 20.0, 120.0]);
    let largest = 6.0f32;
    let sum: f32 = (1..=6).map(|v| (v as f32 - largest).exp()).sum();
    close(x.log_sum_exp(..).unwrap(), &[largest + sum.ln()]);
    fails(x.sum([]), Status::INVALID_ARGUMENT, "axes is empty");
    fails(x.sum(3), Status::INVALID_ARGUMENT, "3");
    assert_ne!(Axes::from(..), Axes::from(0));
}

#[test]
fn functions_have_the_type_that_they_give() -> Result<()> {
    let dev = device();
    let x = dev.tensor(&[-1.5f32, 0.25, 2.0], 3)?;
    let each = |f: fn(f32) -> f32| [-1.5f32, 0.25, 2.0].map(f);
    close(x.exp()?, &each(f32::exp));
    close(x.exp2()?, &each(f32::exp2));
    close(x.exp_m1()?, &each(f32::exp_m1));
    close(x.sin()?, &each(f32::sin));
    close(x.cos()?, &each(f32::cos));
    close(x.tan()?, &each(f32::tan));
    close(x.tanh()?, &each(f32::tanh));
    close(x.abs()?, &each(f32::abs));
    close(x.floor()?, &each(f32::floor));
    close(x.ceil()?, &each(f32::ceil));
    close(x.trunc()?, &each(f32::trunc));
    close(x.round()?, &[-2.0, 0.0, 2.0]);
    close(x.sign()?, &[-1.0, 1.0, 1.0]);
    close(x.square()?, &each(|v| v * v));
    close(x.recip()?, &each(f32::recip));
    close(x.relu()?, &[0.0, 0.25, 2.0]);
    close(x.sigmoid()?, &each(|v| 1.0 / (1.0 + (-v).exp())));
    close(x.silu()?, &each(|v| v / (1.0 + (-v).exp())));
    close(x.softplus()?, &each(|v| v.exp().ln_1p()));
    close(x.erf()?, &[-0.966_105_2, 0.276_326_4, 0.995_322_3]);
    close(x.gelu()?, &[-0.100_210_8, 0.149_676_6, 1.954_499_7]);
    let y = dev.tensor(&[1.0f32, 4.0, 100.0], 3)?;
    close(y.ln()?, &[0.0, 4f32.ln(), 100f32.ln()]);
    close(y.log2()?, &[0.0, 2.0, 100f32.log2()]);
    close(y.log10()?, &[0.0, 4f32.log10(), 2.0]);
    close(y.ln_1p()?, &[2f32.ln(), 5f32.ln(), 101f32.ln()]);
    close(y.sqrt()?, &[1.0, 2.0, 10.0]);
    close(y.rsqrt()?, &[1.0, 0.5, 0.1]);
    close(x.maximum(&y)?, &[1.0, 4.0, 100.0]);
    close(x.minimum(0.0)?, &[-1.5, 0.0, 0.0]);
    close(y.pow(0.5)?, &[1.0, 2.0, 10.0]);
    close(x.clamp(-1.0, 1.0)?, &[-1.0, 0.25, 1.0]);
    assert_eq!(x.recip()?.is_nan()?.to_vec()?, [false; 3]);
    // Of integers and truth values.
    let n = dev.tensor(&[1i32, -2, 3], 3)?;
    close(n.exp()?, &[1f32.exp(), (-2f32).exp(), 3f32.exp()]);
    close(n.mean(..)?, &[2.0 / 3.0]);
    assert_eq!(n.sum(..)?.item()?, 2i32);
    assert_eq!(n.relu()?.to_vec()?, [1, 0, 3]);
    let positive: Tensor<bool> = n.gt(0)?;
    assert_eq!(positive.to_vec()?, [true, false, true]);
    assert_eq!(positive.sum(..)?.item()?, 2i64);
    assert!(positive.any_true(..)?.item()? && !positive.all_true(..)?.item()?);
    assert_eq!(positive.where_cond(&n, 0)?.to_vec()?, [1, 0, 3]);
    for (truth, expected) in [
        (n.eq(1)?, [true, false, false]),
        (n.ne(1)?, [false, true, true]),
        (n.lt(&n)?, [false; 3]),
        (n.le(&n)?, [true; 3]),
        (n.ge(3)?, [false, false, true]),
    ] {
        assert_eq!(truth.to_vec()?, expected);
    }
    let half: Tensor<F16> = x.to::<F16>()?.exp()?;
    assert_eq!(half.to_vec()?[1], F16::from_f32(0.25f32.exp()));
    Ok(())
}

#[test]
fn products_widen_what_is_narrow() -> Result<()> {
    let dev = device();
    let a = dev.tensor(&[100i8, 100, 100, 100], (2, 2))?;
    let c: Tensor<i32> = a.matmul(&a)?;
    assert_eq!(c.to_vec()?, [20_000; 4]);
    let wide: Tensor<f64> = dev.full((2, 2), 0.5f64)?.matmul(&dev.full((2, 2), 3.0f64)?)?;
    assert_eq!(wide.to_vec()?, [3.0; 4]);
    Ok(())
}

/// What is written for any float type needs no more than `Float`.
fn layer<T: Float>(x: &Tensor<T>, w: &Tensor<T>, b: &Tensor<T>) -> Result<Tensor<T>> {
    (x.matmul(w) + b)?.relu()?.exp()?.softmax(-1)
}

#[test]
fn what_is_set_counts_as_set() -> Result<()> {
    let dev = device();
    let x = dev.tensor(&[-2.0f32], [1, 1])?;
    close(x.matmul_with(&x, MatmulOptions::new().scale(3.0, 0.0))?, &[12.0]);
    let options = ElementwiseOptions::new().parameters(0.5, 0.0);
    let leaky = op::elementwise(Elementwise::LEAKY_RELU, &[&x], options, RunOptions::new())?;
    close(leaky.typed()?, &[-1.0]);
    let options = AttentionOptions::new().position(0).window(3, 0);
    assert!(options.has_position && options.has_window && !options.has_scale);
    assert_eq!((options.window_before, options.window_after), (3, 0));
    Ok(())
}

#[test]
fn one_setter_leaves_the_others_at_their_defaults() -> Result<()> {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0], (1, 2))?;
    let w = dev.tensor(&[3.0f32, 4.0], (2, 1))?;
    assert_eq!(x.matmul_with(&w, MatmulOptions::new().alpha(10.0))?.item()?, 110.0);
    let kept = dev.full((1, 1), 5.0f32)?;
    let add = MatmulOptions::new().beta(1.0);
    x.matmul_with(&w, (add, RunOptions::new().into(&kept)))?;
    assert_eq!(kept.item()?, 16.0);
    let leaky = Epilogue::new().activation(Activation::LEAKY_RELU).alpha(0.0);
    let y = (-&w)?.any().t()?.matmul_with(&w, MatmulOptions::new().epilogue(leaky))?;
    assert_eq!(y.typed::<f32>()?.item()?, 0.0);
    let adam = AdamOptions::new().beta1(0.0);
    assert_eq!((adam.beta1, adam.beta2, adam.has_betas), (0.0, 0.999, true));
    let adam = AdamOptions::new().beta2(0.5).beta1(0.25);
    assert_eq!((adam.beta1, adam.beta2, adam.has_betas), (0.25, 0.5, true));
    let seen = AttentionOptions::new().window_before(4);
    assert_eq!((seen.window_before, seen.window_after, seen.has_window), (4, -1, true));
    Ok(())
}

#[test]
fn a_result_of_another_type_is_refused_before_it_is_written() -> Result<()> {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], (2, 2))?;
    let other = dev.full((2, 2), 7i32)?;
    let row = dev.full(2, 7i32)?;
    let run = || RunOptions::new().into(&other);
    let same = |result: Result<Tensor<f32>>| {
        fails(result, Status::INVALID_ARGUMENT, "run.into has dtype i32; the result has f32");
        assert_eq!(other.to_vec().unwrap(), [7; 4]);
        assert_eq!(row.to_vec().unwrap(), [7; 2]);
    };
    same(x.square_with(run()));
    same(x.exp_with(run()));
    same(x.maximum_with(0.0, run()));
    same(x.pow_with(&x, run()));
    same(x.clamp_with(0.0, 1.0, run()));
    same(x.copy_with(run()));
    same(x.softmax_with(1, run()));
    same(x.matmul_with(&x, run()));
    same(x.scan_with(Reduction::SUM, 0, run()));
    same(x.sum_with(1, RunOptions::new().into(&row)));
    same(x.mean_with(1, RunOptions::new().into(&row)));
    let mask = fails(x.gt_with(1.0, run()), Status::INVALID_ARGUMENT, "the result has bool");
    assert!(!mask.message.contains('\n'));
    assert_eq!(other.to_vec()?, [7; 4]);
    Ok(())
}

#[test]
fn results_and_what_holds_tensors_are_arguments() -> Result<()> {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], (2, 2))?;
    let bias = || dev.tensor(&[10.0f32, 20.0], 2);
    close(x.bias_add(&bias()?, 1)?, &[11.0, 22.0, 13.0, 24.0]);
    close(x.bias_add(bias()?, 1)?, &[11.0, 22.0, 13.0, 24.0]);
    let any: AnyTensor = bias()?.into();
    close(x.bias_add(any, 1)?, &[11.0, 22.0, 13.0, 24.0]);
    let y = op::gather(&x.square()?, &dev.tensor(&[1i64], 1)?, 0, RunOptions::new())?;
    close(y.typed()?, &[9.0, 16.0]);
    Ok(())
}

#[test]
fn debug_tells_what_a_thing_is() -> Result<()> {
    let dev = device();
    let x = dev.zeros::<f32>((2, 3))?;
    assert_eq!(format!("{x:?}"), "Tensor<f32>[2, 3]");
    assert_eq!(format!("{:?}", x.any()), "AnyTensor<f32>[2, 3]");
    assert_eq!(format!("{dev:?}"), format!("Device({:?})", dev.to_string()));
    let error = fails(Device::open("no such device"), Status::NO_DEVICE, "");
    assert_eq!(format!("{error:?}"), error.to_string());
    Ok(())
}

#[test]
fn ops_keep_the_type_and_take_options() -> Result<()> {
    let dev = device();
    let x = dev.rand::<f32>((1, 2, 6, 6), 1)?;
    let w = dev.rand::<f32>((4, 2, 3, 3), 2)?;
    let wide: Tensor<f32> = x.conv2d_with(&w, Conv2dOptions::new().padding([1; 4]))?;
    assert_eq!(wide.shape(), [1, 4, 6, 6]);
    let pooled = wide.max_pool2d([2, 3])?;
    assert_eq!(pooled.shape(), [1, 4, 3, 2]);
    assert_eq!(wide.avg_pool2d([2, 3])?.mean(..)?.shape(), [0; 0]);
    assert_eq!(wide.pool(Pooling::MAX)?.shape()[..2], [1, 4]);
    let features = pooled.reshape((1, Shape::INFER))?;
    let dense = dev.rand::<f32>((24, 3), 3)?;
    let bias = dev.rand::<f32>(3, 4)?;
    let relu = Epilogue::new().bias(&bias).activation(Activation::RELU);
    let y = features.matmul_with(&dense, MatmulOptions::new().epilogue(relu))?;
    let same = (features.matmul(&dense) + &bias)?.relu()?;
    close(y, &same.to_vec()?);
    let kept = dev.zeros::<f32>((1, 3))?;
    features.matmul_with(&dense, RunOptions::new().into(&kept))?;
    features.matmul_with(&dense, (MatmulOptions::new(), RunOptions::new().into(&kept)))?;
    let odds = kept.softmax(1)?;
    kept.softmax_with(1, RunOptions::new().into(&kept))?;
    assert_eq!(odds.to_vec()?, kept.to_vec()?);
    // An option may be missing.
    for bias in [Some(bias.any()), None] {
        let options = MatmulOptions::new().epilogue(Epilogue::new().bias(bias));
        assert_eq!(features.matmul_with(&dense, options)?.shape(), [1, 3]);
    }
    assert_eq!(layer(&features, &dense, &bias)?.shape(), [1, 3]);
    let (values, indices): (Tensor<f32>, Tensor<i64>) = x.reshape(72)?.topk(2, 0)?;
    assert_eq!((values.shape(), indices.shape()), ([2].into(), [2].into()));
    let rows = dev.tensor(&[1i64, 0], 2)?;
    let picked: Tensor<f32> = dense.gather(&rows, 0)?;
    assert_eq!(picked.i(0)?.to_vec()?, dense.i(1)?.to_vec()?);
    let both = Tensor::concat(&[&picked, &dense], 0)?;
    assert_eq!(both.shape(), [26, 3]);
    fails(both.typed::<f64>(), Status::INVALID_ARGUMENT, "dtype f32, not f64");
    // Where no type says what comes out there is AnyTensor.
    let any: AnyTensor = x.any().softmax_with(1, RunOptions::new())?;
    assert_eq!(any.typed::<f32>()?.shape(), [1, 2, 6, 6]);
    Ok(())
}

#[test]
fn parts_are_ranges_and_indices() -> Result<()> {
    let dev = device();
    let x = dev.tensor(&(0..24).collect::<Vec<i32>>(), (2, 3, 4))?;
    assert_eq!(x.i(1)?.shape(), [3, 4]);
    assert_eq!(x.i((1, 2, 3))?.item()?, 23);
    assert_eq!(x.i((.., 1))?.shape(), [2, 4]);
    assert_eq!(x.i((0, .., 1..3))?.to_vec()?, [1, 2, 5, 6, 9, 10]);
    assert_eq!(x.i((..1, ..=1, 3..=3))?.to_vec()?, [3, 7]);
    assert_eq!(x.i((.., .., 2..2))?.shape(), [2, 3, 0]);
    let parts = [Part::from(1), Part::from(..), Part::from(0)];
    assert_eq!(x.i(&parts[..])?.to_vec()?, [12, 16, 20]);
    fails(x.i(2), Status::INVALID_ARGUMENT, "");
    fails(x.i((.., 4..)), Status::INVALID_ARGUMENT, "");
    fails(x.i(usize::MAX), Status::INVALID_ARGUMENT, "");
    #[allow(clippy::reversed_empty_ranges)]
    let turned = 3..1;
    fails(x.i((.., turned)), Status::INVALID_ARGUMENT, "");
    // Views of views.
    let y = x.i((.., 1..))?.permute(&[2, 1, 0])?.i((3, .., 1))?;
    assert_eq!(y.to_vec()?, [19, 23]);
    assert_eq!(y.unsqueeze(0)?.shape(), [1, 2]);
    assert_eq!(y.unsqueeze(1)?.squeeze(1)?.to_vec()?, [19, 23]);
    fails(y.unsqueeze(2), Status::INVALID_ARGUMENT, "axis is 2");
    fails(y.squeeze(0), Status::INVALID_ARGUMENT, "its extent is not 1");
    fails(y.squeeze(7), Status::INVALID_ARGUMENT, "axis is 7");
    Ok(())
}

#[test]
fn results_are_operands_beside_tensors() -> Result<()> {
    let dev = device();
    let (a, b) = (dev.full(3, 2.0f32)?, dev.full(3, 5.0f32)?);
    close((&a * 3.0 + &b)?, &[11.0; 3]);
    close((&a * 3.0 - b.clone())?, &[1.0; 3]);
    close((&b + a.exp())?, &[5.0 + 2f32.exp(); 3]);
    close(((&a * &b)? - a.exp())?, &[10.0 - 2f32.exp(); 3]);
    close((a.exp()? + a.relu())?, &[2.0 + 2f32.exp(); 3]);
    close((b.clone() / (&a + &a))?, &[1.25; 3]);
    close((a.matmul(&b.unsqueeze(1)?) + &a)?, &[32.0; 3]);
    // The first error is the one that comes.
    let wrong = a.reshape(7) + &b;
    assert_eq!(fails(wrong, Status::INVALID_ARGUMENT, ""), a.reshape(7).unwrap_err());
    let wrong = &b * a.reshape(7);
    fails(wrong, Status::INVALID_ARGUMENT, "");
    Ok(())
}

#[test]
fn what_is_generic_over_elements_adds_up() {
    fn total<T: Element>(x: &Tensor<T>) -> Result<T::Sum> {
        x.sum(..)?.item()
    }
    let dev = device();
    assert_eq!(total(&dev.full((3, 4), true).unwrap()).unwrap(), 12);
    assert_eq!(total(&dev.full((3, 4), 2u8).unwrap()).unwrap(), 24);
    assert_eq!(total(&dev.full((3, 4), 0.5f64).unwrap()).unwrap(), 6.0);
}

fn zeros_of(dev: &Device) -> AnyTensor {
    dev.zeros::<i32>(1).unwrap().into()
}

#[test]
fn lists_of_tensors_are_written_in_any_way() {
    let dev = device();
    let (x, y) = (dev.tensor(&[1.0f32, 2.0], 2).unwrap(), dev.tensor(&[3.0f32, 4.0], 2).unwrap());
    let (any, mask) = (AnyTensor::from(y.clone()), x.gt(1.5).unwrap());
    // What stands in the list is of one type or of several, named or not.
    let mixed = netcl::expr("where(v0, v1, v2)", &[&mask, &any, &x.square().unwrap()]).unwrap();
    assert_eq!(mixed.typed::<f32>().unwrap().to_vec().unwrap(), [1.0, 4.0]);
    let mixed = op::concat(&[&x, &any], 0, Default::default()).unwrap();
    assert_eq!(mixed.typed::<f32>().unwrap().to_vec().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    // Lists that are there: of references, of tensors, arrays and vectors.
    let references = vec![&x, &y];
    let owned = [x.clone(), y.clone()];
    let sum = netcl::expr("v0 + v1", &netcl::untyped(&references)).unwrap();
    assert_eq!(sum.typed::<f32>().unwrap().to_vec().unwrap(), [4.0, 6.0]);
    for made in [
        Tensor::concat(&references, 0),
        Tensor::concat(&owned, 0),
        Tensor::stack(&references, 0),
        Tensor::stack(&owned[..], 0),
    ] {
        assert_eq!(made.unwrap().to_vec().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    }
    let beside = Tensor::stack(&[&x, &y], 1).unwrap();
    assert_eq!(beside.shape(), [2, 2]);
    assert_eq!(beside.to_vec().unwrap(), [1.0, 3.0, 2.0, 4.0]);
    fails(Tensor::stack(&[&x, &y], 2), Status::INVALID_ARGUMENT, "axis is 2; the rank is 1");
    fails(Tensor::<f32>::stack::<Tensor<f32>>(&[], 0), Status::INVALID_ARGUMENT, "inputs");
}

#[test]
fn lists_of_tensors_lose_their_types_and_zeros_take_a_shape() {
    let dev = device();
    let (x, y) = (dev.full((2, 3), 1.0f32).unwrap(), dev.full(4, 2.0f32).unwrap());
    let shapes =
        |list: Vec<&AnyTensor>| list.iter().map(|x| x.shape().to_vec()).collect::<Vec<_>>();
    assert_eq!(shapes(netcl::untyped(&[&x, &y])), [vec![2, 3], vec![4]]);
    assert_eq!(shapes(netcl::untyped(&[x.clone(), y])), [vec![2, 3], vec![4]]);
    assert!(netcl::untyped::<Tensor<f32>>(&[]).is_empty());
    assert_eq!(shapes(netcl::untyped(&[x.any(), &zeros_of(&dev)])), [vec![2, 3], vec![1]]);
    let zeros = x.zeros_like().unwrap();
    assert_eq!(zeros.shape(), [2, 3]);
    assert_eq!(zeros.to_vec().unwrap(), [0.0; 6]);
    assert_eq!(x.zeros_like().unwrap().device().unwrap().to_string(), dev.to_string());
}
