//! The recipes of docs/cookbook, which check what they compute.
//!
//! usage: cargo run --example cookbook [device]

// Member by member is how options are set that may get more members.
#![allow(clippy::field_reassign_with_default)]

use netcl::{Device, Result};

mod add_row;
mod causal_mask;
mod compiled_step;
mod errors;
mod first;
mod gradients;
mod list_devices;
mod mask;
mod optimizer_step;
mod own_function;
mod own_kernel;
mod own_op;
mod pick_rows;
mod rope;
mod run_model;
mod several_results;
mod softmax_rows;
mod sort_topk;
mod standardize;
mod strided_view;
mod threads;
mod tune;
mod update_in_place;
mod warm_up;

fn main() -> Result<()> {
    let selector = std::env::args().nth(1).unwrap_or_else(|| "auto".into());
    let dev = Device::open(&selector)?;
    add_row::run(&dev)?;
    causal_mask::run(&dev)?;
    compiled_step::run(&dev)?;
    errors::run(&dev)?;
    first::run(&dev)?;
    gradients::run(&dev)?;
    list_devices::run()?;
    mask::run(&dev)?;
    optimizer_step::run(&dev)?;
    own_function::run(&dev)?;
    own_kernel::run(&dev)?;
    own_op::run(&dev)?;
    pick_rows::run(&dev)?;
    rope::run(&dev)?;
    run_model::run(&dev)?;
    several_results::run(&dev)?;
    softmax_rows::run(&dev)?;
    sort_topk::run(&dev)?;
    standardize::run(&dev)?;
    strided_view::run(&dev)?;
    threads::run(&dev)?;
    tune::run(&dev)?;
    update_in_place::run(&dev)?;
    warm_up::run(&dev)?;
    println!("24 recipes");
    Ok(())
}
