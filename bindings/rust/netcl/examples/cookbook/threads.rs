use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], [4])?;
    let threads: Vec<_> = [0usize, 2]
        .iter()
        .map(|&start| {
            let x = x.clone(); // one more reference to the same tensor
            std::thread::spawn(move || {
                x.i(start..start + 2)?.sum(..)?.item() // of a view
            })
        })
        .collect();
    let mut total = 0.0;
    for thread in threads {
        total += thread.join().expect("no panic")?;
    }
    assert_eq!(total, 10.0);
    // [end]
    Ok(())
}
