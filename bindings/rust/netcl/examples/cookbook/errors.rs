use netcl::{Device, Result, Status};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let a = dev.tensor(&[1.0f32, 2.0, 3.0], [1, 3])?;
    match a.matmul(&a) {
        Ok(_) => unreachable!("3 and 1 do not fit"),
        Err(error) => {
            println!("{error}"); // says which shapes, and what of them disagrees
            assert_eq!(error.status, Status::INVALID_ARGUMENT);
        }
    }
    // [end]
    Ok(())
}
