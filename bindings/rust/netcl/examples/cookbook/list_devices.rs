use netcl::{Device, Result};

pub fn run() -> Result<()> {
    // [recipe]
    for info in Device::list()? {
        println!("{}: {}, {}", info.index, info.name, info.platform_name);
    }
    // [end]
    Ok(())
}
