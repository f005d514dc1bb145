//! Kernels and expressions.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, is_opencl, refused, Random};
use netcl::{
    op, primitive, program_cache, AnyTensor, Arg, Dtype, Expression, ExpressionOptions,
    ExpressionsOptions, Kernel, KernelOptions, LaunchOptions, PrimitiveKernels, PrimitiveOptions,
    RunOptions, Status, Timeout,
};

const SOURCE: &str = "
typedef struct { float add; int twice; int unused[20]; } Extra;
__kernel void scale(__global const float *x, __global float *y, float a, uint n,
                    __local float *scratch, __global const float *maybe, Extra extra) {
  size_t i = get_global_id(0);
  scratch[get_local_id(0)] = a;
  if (i < n) {
    float v = scratch[get_local_id(0)] * x[i] + extra.add + (maybe ? maybe[i] : 0.0f);
    y[i] = extra.twice ? 2.0f * v : v;
  }
}";

fn extra(add: f32, twice: i32) -> [u8; 88] {
    let mut bytes = [0; 88];
    bytes[..4].copy_from_slice(&add.to_ne_bytes());
    bytes[4..8].copy_from_slice(&twice.to_ne_bytes());
    bytes
}

#[test]
fn a_kernel_gets_arguments_of_every_kind() {
    let dev = device();
    let options = KernelOptions::new()
        .source(SOURCE)
        .flags(&["-cl-mad-enable", "-DUNUSED=1"])
        .local_size([16, 0, 0]);
    if !is_opencl(&dev) {
        fails(common::kernel(&dev, "scale", options), Status::UNSUPPORTED, "");
        // SAFETY: there is no program.
        refused(unsafe { Kernel::from_source(&dev, "scale", SOURCE) });
        return;
    }
    let kernel = common::kernel(&dev, "scale", options).unwrap();
    kernel.build().unwrap();
    let info = kernel.info().unwrap();
    assert!(info.args_count == 7 && info.name == "scale");
    assert!(kernel.arg_info(0).unwrap().is_const);
    assert!(kernel.source().unwrap().contains("scratch"));
    kernel.build_log().unwrap();
    let mut random = Random::fresh();
    let numbers = random.numbers(100);
    let x = dev.tensor(&numbers, [100]).unwrap();
    let y = dev.zeros::<f32>(&[100]).unwrap();
    let bytes = extra(1.0, 1);
    let args = [
        Arg::read_only(&x),
        (&y).into(),
        2.0f32.into(),
        100u32.into(),
        Arg::local(64),
        Arg::null(),
        Arg::bytes(&bytes),
    ];
    let mut done = None;
    let launch = LaunchOptions::new().round_up(true);
    let run = RunOptions::new().event(&mut done);
    // SAFETY: the kernel checks its index, and the arguments have the types of its parameters.
    unsafe { kernel.launch_with([100], [16], &args, launch, run).unwrap() };
    let explained = unsafe { kernel.explain_launch([112], [16], &args).unwrap() };
    assert_eq!((explained.global, explained.local), ([112, 1, 1], [16, 1, 1]));
    done.unwrap().wait(Timeout::FOREVER).unwrap();
    let expected: Vec<f32> = numbers.iter().map(|v| 2.0 * (2.0 * v + 1.0)).collect();
    let close = |got: &[f32]| got.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(close(&y.to_vec().unwrap()));

    // By name, without a local size of the launch.
    kernel.register().unwrap();
    let found = kernel.clone();
    assert_eq!(found, kernel);
    let found = Kernel::find(&dev, "scale", 0).unwrap();
    assert_eq!(found.info().unwrap().name, "scale");
    // SAFETY: as above.
    unsafe {
        Kernel::launch_by_name(&dev, "scale", 0, 112, (), &args).unwrap();
        let (launch, run) = (LaunchOptions::default(), RunOptions::default());
        Kernel::launch_by_name_with(&dev, "scale", 0, [112], [16], &args, launch, run).unwrap();
        fails(kernel.launch([100], [7], &args), Status::INVALID_ARGUMENT, "");
        fails(kernel.launch((), (), &args), Status::INVALID_ARGUMENT, "");
        fails(kernel.launch(4, (), &args[1..]), Status::INVALID_ARGUMENT, "");
        fails(kernel.launch(4, (), &[]), Status::INVALID_ARGUMENT, "");
    }
    Kernel::unregister(&dev, "scale", 0).unwrap();
    fails(Kernel::find(&dev, "scale", 0), Status::NOT_FOUND, "");
    dev.finish(Timeout::FOREVER).unwrap();
}

const TURNED: &str = "
__kernel void turned(__global const float *x, __global float *y, float factor) {
  size_t i = get_global_id(0);
  y[i] = factor * x[i];
}
__kernel void back(__global const float *x, __global const float *grad,
                   __global const float *out, __global float *dx, float factor) {
  size_t i = get_global_id(0);
  dx[i] = factor * grad[i] + out[i];
}";

#[test]
fn kernels_make_primitives() {
    let dev = device();
    let primitive = PrimitiveOptions::new().arity(1).attributes(&["factor"]).defaults(&[3.0]);
    let none = PrimitiveKernels::default();
    // SAFETY: there is no kernel.
    refused(unsafe { primitive::register_kernels("rust_kernels", none) });
    if !is_opencl(&dev) {
        return;
    }
    let options = KernelOptions::new().source(TURNED);
    let forward = common::kernel(&dev, "turned", options).unwrap();
    let back = common::kernel(&dev, "back", options).unwrap();
    let backward = [&back];
    let kernels = PrimitiveKernels::new().forward(&forward).backward(&backward);
    // SAFETY: the kernels touch their arguments alone.
    unsafe { primitive::register_kernels_with("rust_kernels", kernels, primitive) }.unwrap();
    let x = dev.tensor(&[1.0f32, 2.0, 4.0], [3]).unwrap();
    let call = Default::default();
    let y = op::primitive("rust_kernels", &[&x], call, RunOptions::default()).unwrap();
    let run = RunOptions::default();
    let dx = op::primitive_gradient("rust_kernels", &[&x], 0, &x, Some(&y), call, run).unwrap();
    assert_eq!(y.typed::<f32>().unwrap().to_vec().unwrap(), [3.0, 6.0, 12.0]);
    assert_eq!(dx.typed::<f32>().unwrap().to_vec().unwrap(), [6.0, 12.0, 24.0]);
    primitive::unregister("rust_kernels").unwrap();
}

#[test]
fn binaries_and_parts_make_kernels_too() {
    let dev = device();
    if !is_opencl(&dev) {
        refused(Kernel::elementwise(&dev, "f", 1, "v0", Dtype::F32));
        return;
    }
    let options = KernelOptions::new()
        .params(&["__global int *x", "int a"])
        .preamble("#define TWICE(v) ((v) * 2)")
        .body("x[get_global_id(0)] = TWICE(a);");
    let kernel = common::kernel(&dev, "twice", options).unwrap();
    let x = dev.zeros::<i32>(&[8]).unwrap();
    // SAFETY: 8 items for 8 elements.
    unsafe { kernel.launch(8, (), &[(&x).into(), 21i32.into()]).unwrap() };
    assert_eq!(x.to_vec().unwrap(), [42; 8]);

    let binary = kernel.binary().unwrap();
    let none = KernelOptions::default();
    // SAFETY: the binary is that of the kernel above; 8 items for 8 elements.
    let again = unsafe {
        let again = Kernel::from_binary(&dev, "twice", &binary, false, none).unwrap();
        again.launch([8], [], &[(&x).into(), 1i32.into()]).unwrap();
        again
    };
    assert_eq!(x.to_vec().unwrap(), [2; 8]);
    fails(again.source(), Status::NOT_FOUND, "");
    // SAFETY: the library refuses what lacks its checksum; PoCL takes no SPIR-V.
    unsafe {
        let broken = Kernel::from_binary(&dev, "twice", &binary[..40], false, none);
        refused(broken.and_then(|k| k.build()));
        let broken = Kernel::from_il(&dev, "twice", &[1, 2, 3], none);
        refused(broken.and_then(|k| k.build()));
        let both = KernelOptions::new().source("x");
        refused(Kernel::from_binary(&dev, "twice", &binary, true, both));
    }

    let kernel = Kernel::elementwise(&dev, "f", 2, "v0 * v1 + 1", Dtype::F32).unwrap();
    assert_eq!(kernel.info().unwrap().args_count, 4);
}

#[test]
fn a_wrong_kernel_shows_its_log() {
    let dev = device();
    if !is_opencl(&dev) {
        return;
    }
    let options = KernelOptions::new().source("__kernel void k( {}");
    let kernel = common::kernel(&dev, "k", options).unwrap();
    fails(kernel.build(), Status::BUILD_FAILURE, "");
    assert!(!kernel.build_log().unwrap().is_empty());
    let long = format!("__kernel void k(__global int *x) {{ {} }}", "x[0] = 1; ".repeat(2000));
    let options = KernelOptions::new().source(&long);
    let kernel = common::kernel(&dev, "k", options).unwrap();
    assert!(kernel.source().unwrap().contains(&long));
}

#[test]
fn the_program_cache_counts_and_is_emptied() {
    program_cache::clear(false).unwrap();
    let info = program_cache::info().unwrap();
    assert_eq!(info.programs_in_memory, 0);
}

#[test]
fn signatures_depend_on_shapes() {
    let dev = device();
    let (a, b) = (dev.zeros::<f32>(&[2, 3]).unwrap(), dev.zeros::<f32>(&[3, 2]).unwrap());
    let one = Kernel::shape_signature(&[&a, &b], &[&a]).unwrap();
    assert_ne!(one, 0);
    assert_ne!(one, Kernel::shape_signature(&[&b, &a], &[&a]).unwrap());
    assert_eq!(one, Kernel::shape_signature(&[&a, &b], &[&a]).unwrap());
    Kernel::shape_signature(&[], &[]).map(|s| assert_ne!(s, 0)).ok();
}

#[test]
fn expressions_broadcast_and_fuse() {
    let dev = device();
    let expression = Expression::new("relu(v0 + v1) * 0.5").unwrap();
    assert_eq!(expression.arity().unwrap(), 2);
    let text = expression.text().unwrap();
    assert_eq!(Expression::new(&text).unwrap().text().unwrap(), text);
    let mut random = Random::fresh();
    let (a, b) = (random.numbers(15), random.numbers(5));
    let x = dev.tensor(&a, [3, 5]).unwrap();
    let y = dev.tensor(&b, [5]).unwrap();
    let options = ExpressionOptions::new().dtype(Dtype::F64);
    let wide = dev.capabilities().unwrap().fp64;
    let expected: Vec<f32> =
        a.iter().enumerate().map(|(i, v)| (v + b[i % 5]).max(0.0) * 0.5).collect();
    if wide {
        let z = op::expression(&expression, &[&x, &y], options, RunOptions::default()).unwrap();
        let z = z.typed::<f64>().unwrap().to_vec().unwrap();
        assert!(z.iter().zip(&expected).all(|(a, b)| (a - f64::from(*b)).abs() < 1e-6));
    }
    let z = netcl::expr("relu(v0 + v1) * 0.5", &[&x, &y]).unwrap().typed::<f32>().unwrap();
    assert!(z.to_vec().unwrap().iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6));
    let into = dev.zeros::<f32>(&[3, 5]).unwrap();
    let run = RunOptions::new().into(&into);
    op::expression_text("v0 * 2", &[&x], Default::default(), run).unwrap();
    assert!(into.to_vec().unwrap().iter().zip(&a).all(|(a, b)| *a == 2.0 * b));
    fails(netcl::expr("v0 + v7", &[&x]), Status::INVALID_ARGUMENT, "");
    let many = vec![x.any(); 65];
    refused(netcl::expr("v0", &many));
    refused(netcl::expr("1", &[]));
}

#[test]
fn several_expressions_are_one_call() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, -2.0, 3.0], [3]).unwrap();
    let y = dev.tensor(&[4.0f32], [1]).unwrap();
    let [sum, less] = netcl::exprs(["v0 + v1", "v0 < 0"], &[&x, &y]).unwrap();
    assert_eq!(sum.typed::<f32>().unwrap().to_vec().unwrap(), [5.0, 2.0, 7.0]);
    assert_eq!(less.typed::<bool>().unwrap().to_vec().unwrap(), [false, true, false]);
    let options = ExpressionsOptions::new().dtypes(&[Dtype::I32, Dtype::F32]);
    let made = op::expressions(&["v0 * 2", "v0"], &[&x], options, Default::default()).unwrap();
    assert_eq!(made.len(), 2);
    assert_eq!(made[0].clone().typed::<i32>().unwrap().to_vec().unwrap(), [2, -4, 6]);
    let (a, b) = (dev.zeros::<f32>(&[3]).unwrap(), dev.zeros::<f32>(&[3]).unwrap());
    let places: [&AnyTensor; 2] = [&a, &b];
    let options = ExpressionsOptions::new().results_into(&places);
    op::expressions(&["v0 + 1", "-v0"], &[&x], options, Default::default()).unwrap();
    assert_eq!(a.to_vec().unwrap(), [2.0, -1.0, 4.0]);
    assert_eq!(b.to_vec().unwrap(), [-1.0, 2.0, -3.0]);
    fails(netcl::exprs(["v0", "v0 + * 2"], &[&x]), Status::INVALID_ARGUMENT, "texts[1]: ");
    refused(netcl::exprs(["v0"; 17], &[&x]));
    refused(netcl::exprs([], &[&x]));
}

#[test]
fn operators_give_results() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0, -3.0], [3]).unwrap();
    let y = dev.tensor(&[2.0f32], [1]).unwrap();
    assert_eq!((&x + &y).unwrap().to_vec().unwrap(), [3.0, 4.0, -1.0]);
    assert_eq!((&x - &y).unwrap().to_vec().unwrap(), [-1.0, 0.0, -5.0]);
    assert_eq!((&x * &y).unwrap().to_vec().unwrap(), [2.0, 4.0, -6.0]);
    assert_eq!((&x / &y).unwrap().to_vec().unwrap(), [0.5, 1.0, -1.5]);
    assert_eq!((&x * -0.5).unwrap().to_vec().unwrap(), [-0.5, -1.0, 1.5]);
    assert_eq!((&x + 1e-3).unwrap().to_vec().unwrap()[0], 1.001);
    assert_eq!((-&x).unwrap().to_vec().unwrap(), [-1.0, -2.0, 3.0]);
    let i = dev.tensor(&[7i32, -7], [2]).unwrap();
    assert_eq!((&i * &i).unwrap().to_vec().unwrap(), [49, 49]);
}
