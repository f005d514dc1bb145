use netcl::{Device, Range, Reduction, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], [4])?;
    let threads: Vec<_> = [0, 2]
        .iter()
        .map(|&start| {
            let x = x.clone(); // one more reference to the same tensor
            std::thread::spawn(move || {
                let part = x.slice(&[Range { start, extent: 2, step: 1 }])?;
                part.any().reduce(Reduction::SUM)?.typed::<f32>()?.item()
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
