//! Measuring in a loop.

use crate::{Measurement, Result};

impl Measurement {
    /// Runs the measurement to its end: `work` enqueues one iteration of a candidate on the
    /// queue of the measurement. Stops at the first error.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// use netcl::{Device, Measurement, MeasurementOptions};
    /// let dev = Device::open("auto")?;
    /// let x = dev.rand::<f32>(&[64, 64], 1)?;
    /// let options = MeasurementOptions::new().count(5).warmup_count(1);
    /// let measurement = Measurement::with_options(&dev.queue()?, options)?;
    /// measurement.run(|_| x.matmul(&x).map(drop))?;
    /// let statistics = measurement.statistics(0)?;
    /// assert!(statistics.count == 5 && statistics.median > 0.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn run(&self, mut work: impl FnMut(u32) -> Result<()>) -> Result<()> {
        loop {
            let (candidate, iterations) = self.next()?;
            if iterations == 0 {
                return Ok(());
            }
            for _ in 0..iterations {
                work(candidate)?;
            }
        }
    }
}
