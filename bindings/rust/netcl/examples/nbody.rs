//! Bodies that attract each other, moved by the leapfrog method. Forces are fused expressions over
//! broadcast views and one matrix product per axis, so it runs on every device. Newton's laws keep
//! the energy; the program fails when it drifts.
//!
//! usage: cargo run --release --example nbody [device] [bodies] [steps]

use netcl::{expr, Device, Result, Tensor};

/// Keeps close encounters gentle: distances are taken as at least this.
const SOFTENING: f64 = 0.1;
const STEP: f64 = 0.002;

/// x, y and z of all bodies, each a tensor of its own.
type Axes = [Tensor<f32>; 3];

struct Bodies {
    position: Axes,
    velocity: Axes,
    masses: Tensor<f32>,
}

/// v0 to v5 are x, y, z of the pulled and the pulling body, in turn.
fn distance_squared() -> String {
    let square = |a: usize| format!("(v{0} - v{1}) * (v{0} - v{1})", 2 * a + 1, 2 * a);
    format!("({} + {} + {} + {})", square(0), square(1), square(2), SOFTENING * SOFTENING)
}

impl Bodies {
    fn new(dev: &Device, count: usize) -> Result<Bodies> {
        let axis = |seed, scale: f32| (dev.rand::<f32>(count, seed)? - 0.5)? * scale;
        Ok(Bodies {
            position: [axis(1, 2.0)?, axis(2, 2.0)?, axis(3, 2.0)?],
            velocity: [axis(4, 0.2)?, axis(5, 0.2)?, axis(6, 0.2)?],
            masses: dev.full(count, 1.0 / count as f32)?,
        })
    }

    /// Each axis as a column and as a row, which broadcast to all pairs.
    fn pairs(&self) -> Result<Vec<Tensor<f32>>> {
        let mut views = Vec::new();
        for axis in &self.position {
            views.push(axis.unsqueeze(1)?);
            views.push(axis.unsqueeze(0)?);
        }
        Ok(views)
    }

    fn accelerations(&self) -> Result<Axes> {
        let pairs = self.pairs()?;
        let inputs: Vec<_> = pairs.iter().map(|view| view.any()).collect();
        let square = distance_squared();
        let along = |axis: usize| -> Result<Tensor<f32>> {
            let (own, other) = (2 * axis, 2 * axis + 1);
            let pull = format!("(v{other} - v{own}) / ({square} * sqrt({square}))");
            expr(&pull, &inputs)?.typed::<f32>()?.matmul(&self.masses)
        };
        Ok([along(0)?, along(1)?, along(2)?])
    }

    /// Kinetic and potential energy.
    fn energy(&self) -> Result<(f64, f64)> {
        let [x, y, z] = &self.velocity;
        let speeds = expr("v0 * v0 + v1 * v1 + v2 * v2", &[x, y, z])?.typed::<f32>()?;
        let kinetic = 0.5 * f64::from(speeds.matmul(&self.masses)?.item()?);
        let pairs = self.pairs()?;
        let inputs: Vec<_> = pairs.iter().map(|view| view.any()).collect();
        let inverse = expr(&format!("1 / sqrt({})", distance_squared()), &inputs)?;
        let sums = inverse.typed::<f32>()?.matmul(&self.masses)?;
        let all = f64::from(sums.matmul(&self.masses)?.item()?);
        let total: f64 = self.masses.to_vec()?.iter().map(|&m| f64::from(m).powi(2)).sum();
        // A body does not attract itself.
        Ok((kinetic, -0.5 * (all - total / SOFTENING)))
    }

    fn kick(&mut self, force: &Axes, time: f64) -> Result<()> {
        for (speed, force) in self.velocity.iter_mut().zip(force) {
            *speed = expr(&format!("v0 + v1 * {time:?}"), &[speed, force])?.typed()?;
        }
        Ok(())
    }

    fn drift(&mut self, time: f64) -> Result<()> {
        for (place, speed) in self.position.iter_mut().zip(&self.velocity) {
            *place = expr(&format!("v0 + v1 * {time:?}"), &[place, speed])?.typed()?;
        }
        Ok(())
    }
}

fn main() -> Result<()> {
    let mut given = std::env::args().skip(1);
    let selector = given.next().unwrap_or_else(|| "auto".into());
    let mut number = |default| given.next().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, steps) = (number(256), number(100));
    let dev = Device::open(&selector)?;
    let mut bodies = Bodies::new(&dev, count)?;
    let (kinetic, potential) = bodies.energy()?;
    let before = kinetic + potential;
    println!("{}: {count} bodies, {steps} steps", dev.info()?.name);
    println!("at first  kinetic {kinetic:.6}, potential {potential:.6}, sum {before:.6}");
    let mut force = bodies.accelerations()?;
    for _ in 0..steps {
        bodies.kick(&force, STEP / 2.0)?;
        bodies.drift(STEP)?;
        force = bodies.accelerations()?;
        bodies.kick(&force, STEP / 2.0)?;
    }
    let (kinetic, potential) = bodies.energy()?;
    let after = kinetic + potential;
    let drift = ((after - before) / before).abs();
    println!("in the end kinetic {kinetic:.6}, potential {potential:.6}, sum {after:.6}");
    println!("the energy changed by {:.5} %", 100.0 * drift);
    assert!(drift < 1e-3, "energy is not kept");
    Ok(())
}
