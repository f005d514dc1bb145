//! Structs that have grown since their first release, as a program that was built with the first
//! one gives them: through netcl-sys, with sizes that never change again.

mod common;
use common::device;
use netcl::sys::{self, netcl_buffer_info, netcl_norm_options};
use netcl::{AnyTensor, Tensor};
use std::mem::size_of;

/// netcl_norm_options ended before has_epsilon, netcl_buffer_info before its last member.
const NORM_OPTIONS: usize = 32;
const BUFFER_INFO: usize = 40;

/// The layer norm of a row with an epsilon of 0 that counts only in the whole struct.
fn layernorm(x: &Tensor<f32>, size: usize) -> Vec<f32> {
    let options =
        netcl_norm_options { struct_size: size, has_epsilon: 1, ..netcl_norm_options::INIT };
    let mut made = std::ptr::null_mut();
    // SAFETY: the tensor is alive, and what is made is owned by no one else.
    let y = unsafe {
        let run = std::ptr::null();
        assert_eq!(sys::netcl_op_layernorm(x.as_raw(), 0, &options, run, &mut made), sys::NETCL_OK);
        AnyTensor::from_raw(made)
    };
    y.typed::<f32>().unwrap().to_vec().unwrap()
}

#[test]
fn an_older_caller_of_options_gets_the_defaults_of_new_members() {
    assert!(size_of::<netcl_norm_options>() > NORM_OPTIONS);
    let x = Tensor::from_slice(&device(), &[1e-3f32, -1e-3], [2]).unwrap();
    let near = |got: Vec<f32>, wanted: f32| {
        assert!((got[0] - wanted).abs() < 1e-4 && (got[1] + wanted).abs() < 1e-4, "{got:?}");
    };
    near(layernorm(&x, NORM_OPTIONS), (1e-6f32 / 1.1e-5).sqrt());
    near(layernorm(&x, size_of::<netcl_norm_options>()), 1.0);
}

#[test]
fn an_older_caller_of_an_info_keeps_what_lies_behind_it() {
    const SIZE: usize = size_of::<netcl_buffer_info>();
    assert_ne!(SIZE, BUFFER_INFO, "the struct has not grown");
    let x = Tensor::from_slice(&device(), &[1f32, 2.0, 3.0], [3]).unwrap();
    let buffer = x.buffer().unwrap();
    let mut info = netcl_buffer_info { struct_size: BUFFER_INFO, ..netcl_buffer_info::INIT };
    let bytes = (&mut info as *mut netcl_buffer_info).cast::<u8>();
    // SAFETY: the struct is plain numbers, and `bytes` stays within it.
    let behind = unsafe {
        bytes.add(BUFFER_INFO).write_bytes(0xA5, SIZE - BUFFER_INFO);
        assert_eq!(sys::netcl_buffer_get_info(buffer.as_raw(), &mut info), sys::NETCL_OK);
        std::slice::from_raw_parts(bytes.add(BUFFER_INFO), SIZE - BUFFER_INFO)
    };
    assert!(behind.iter().all(|byte| *byte == 0xA5), "{behind:?}");
    assert_eq!(info.bytes, 12);
}
