//! Tensors of a file by their names.

use crate::{AnyTensor, Result, Weights};

impl Weights {
    /// A tensor of the file by its name.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("netcl_doc_{}", std::process::id()));
    /// # let path = path.to_str().unwrap();
    /// use netcl::{Device, Weights, WeightsFormat};
    /// let dev = Device::open("auto")?;
    /// let w = dev.tensor(&[1.0f32, 2.0], &[2])?;
    /// let forever = std::time::Duration::MAX;
    /// Weights::save(path, WeightsFormat::SAFETENSORS, &["w"], &[&w], forever)?;
    /// let weights = Weights::open(&dev, path)?;
    /// assert_eq!(weights.names()?, ["w"]);
    /// assert_eq!(weights.named("w")?.typed::<f32>()?.to_vec()?, [1.0, 2.0]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    pub fn named(&self, name: &str) -> Result<AnyTensor> {
        self.tensor(self.find(name)?)
    }

    /// The names of all tensors, in the order of the file.
    pub fn names(&self) -> Result<Vec<String>> {
        let count = self.info()?.tensor_count;
        (0..count).map(|index| Ok(self.entry(index)?.name.to_string())).collect()
    }
}
