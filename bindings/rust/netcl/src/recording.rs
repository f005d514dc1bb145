//! Gradients of closures, with the types of their inputs.

use crate::{AnyTensor, Bf16, Device, Element, Error, GradientsOptions, Graph, Result, RunOptions};
use crate::{Tensor, F16};
use std::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// An element type that has gradients. Results keep it.
pub trait Float: Element<Product = Self, Sum = Self, Real = Self> + Sealed {}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Sealed for $type {}
        impl Float for $type {}
    )*};
}
floats!(F16 Bf16 f32 f64);

/// Tensors of floats: `&Tensor<T>`, a tuple of up to eight, an array, a slice, or these in each
/// other. Their gradients have the same form: `(&Tensor<f32>, [&Tensor<f64>; 2])` has
/// `(Tensor<f32>, [Tensor<f64>; 2])`.
pub trait Inputs: Sealed {
    /// What the gradients are.
    type Gradients;

    #[doc(hidden)]
    fn list<'a>(&'a self, all: &mut Vec<&'a AnyTensor>);

    /// Takes as many as `list` gave.
    #[doc(hidden)]
    fn typed(&self, made: &mut dyn Iterator<Item = AnyTensor>) -> Result<Self::Gradients>;
}

impl<T: Float> Sealed for &Tensor<T> {}
impl<T: Float> Inputs for &Tensor<T> {
    type Gradients = Tensor<T>;

    fn list<'a>(&'a self, all: &mut Vec<&'a AnyTensor>) {
        all.push(self);
    }

    fn typed(&self, made: &mut dyn Iterator<Item = AnyTensor>) -> Result<Tensor<T>> {
        made.next().ok_or_else(|| Error::invalid("a gradient is missing".into()))?.typed()
    }
}

impl<I: Inputs> Sealed for &[I] {}
impl<I: Inputs> Inputs for &[I] {
    type Gradients = Vec<I::Gradients>;

    fn list<'a>(&'a self, all: &mut Vec<&'a AnyTensor>) {
        self.iter().for_each(|each| each.list(all));
    }

    fn typed(&self, made: &mut dyn Iterator<Item = AnyTensor>) -> Result<Vec<I::Gradients>> {
        self.iter().map(|each| each.typed(made)).collect()
    }
}

impl<I: Inputs, const N: usize> Sealed for [I; N] {}
impl<I: Inputs, const N: usize> Inputs for [I; N] {
    type Gradients = [I::Gradients; N];

    fn list<'a>(&'a self, all: &mut Vec<&'a AnyTensor>) {
        self.iter().for_each(|each| each.list(all));
    }

    fn typed(&self, made: &mut dyn Iterator<Item = AnyTensor>) -> Result<[I::Gradients; N]> {
        let all = self.iter().map(|each| each.typed(made)).collect::<Result<Vec<_>>>()?;
        all.try_into().map_err(|_| Error::invalid("a gradient is missing".into()))
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt)*))*) => {$(
        impl<$($name: Inputs),*> Sealed for ($($name,)*) {}
        impl<$($name: Inputs),*> Inputs for ($($name,)*) {
            type Gradients = ($($name::Gradients,)*);

            fn list<'a>(&'a self, all: &mut Vec<&'a AnyTensor>) {
                $(self.$at.list(all);)*
            }

            fn typed(&self, made: &mut dyn Iterator<Item = AnyTensor>) -> Result<Self::Gradients> {
                Ok(($(self.$at.typed(made)?,)*))
            }
        }
    )*};
}
tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}

/// A span of time in which calls are recorded: those that get the options of [`run`](Self::run).
/// When it is dropped, also by a panic, what was recorded is let go of. It stays on its thread.
///
/// ```compile_fail
/// # let device = netcl::Device::open("builtin").unwrap();
/// let recording = netcl::Recording::new(&device).unwrap();
/// std::thread::spawn(move || drop(recording)); // not Send
/// ```
#[derive(Debug)]
pub struct Recording {
    graph: Graph,
    own_thread: PhantomData<*const ()>,
}

impl Recording {
    /// Records on a device.
    pub fn new(device: &Device) -> Result<Recording> {
        Ok(Recording { graph: Graph::new(device)?, own_thread: PhantomData })
    }

    /// Options for a call that is to be recorded. They cannot outlive the recording.
    pub fn run(&self) -> RunOptions<'_> {
        RunOptions::new().graph(&self.graph)
    }

    /// The graph, for what else it can do.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The gradients of a loss of one element, in the form and with the types of the inputs. The
    /// calls are kept, and those that work the gradients out are recorded, so that gradients have
    /// gradients. Errors are those of [`Graph::add_gradients`].
    pub fn gradients<I: Inputs>(
        &self,
        loss: impl AsRef<AnyTensor>,
        inputs: I,
    ) -> Result<I::Gradients> {
        self.find(loss.as_ref(), inputs, false)
    }

    fn find<I: Inputs>(&self, loss: &AnyTensor, inputs: I, consume: bool) -> Result<I::Gradients> {
        let mut all = Vec::new();
        inputs.list(&mut all);
        let options = GradientsOptions::new().consume(consume);
        let made = self.graph.add_gradients_with(&[loss], &all, options)?;
        inputs.typed(&mut made.into_iter())
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // Clones of the graph may outlive this; they are empty then. What a drop cannot report is
        // that the library refuses, as it does after a fork.
        let _ = self.graph.clear();
    }
}

/// Calls a closure, and gives the loss that it gives and its gradients, which have the form and the
/// types of the inputs. What the closure computes with the options of [`Recording::run`] is
/// recorded; everything else is a constant, operators among it: [`expr_with`](crate::expr_with) takes
/// their place, and methods have a form with options (`relu_with`, `sum_with`, `conv2d_with`).
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// let dev = netcl::Device::open("auto")?;
/// let x = dev.rand::<f32>(&[8, 3], 1)?;
/// let w = dev.rand::<f32>(&[3, 2], 2)?;
/// let b = dev.rand::<f32>(&[2], 3)?;
/// let (loss, (dw, db)) = netcl::gradients((&w, &b), |recording| {
///     let z = x.matmul_with(&w, recording.run())?;
///     let y = netcl::expr_with("tanh(v0 + v1)", &[&z, &b], recording.run())?.typed::<f32>()?;
///     y.square_with(recording.run())?.sum_with(.., recording.run())
/// })?;
/// assert_eq!((dw.shape(), db.shape()), (w.shape(), b.shape()));
/// assert!(loss.item()? > 0.0);
/// # let _: (netcl::Tensor<f32>, netcl::Tensor<f32>) = (dw, db);
/// # Ok(())
/// # }
/// ```
///
/// A loss that is typed stays so: the closure may give a `Tensor<f32>`. INVALID_ARGUMENT when there
/// are no inputs, or the loss has not one element or does not depend on one of them.
///
/// Integers have no gradients:
///
/// ```compile_fail
/// # let device = netcl::Device::open("builtin").unwrap();
/// let n = device.full(&[2], 1i32).unwrap();
/// let _ = netcl::gradients(&n, |_| Ok(n.clone()));
/// ```
pub fn gradients<I, L, F>(inputs: I, work: F) -> Result<(L, I::Gradients)>
where
    I: Inputs,
    L: AsRef<AnyTensor>,
    F: FnOnce(&Recording) -> Result<L>,
{
    let mut all = Vec::new();
    inputs.list(&mut all);
    let first = all.first().ok_or_else(|| Error::invalid("gradients needs an input".into()))?;
    let recording = Recording::new(&first.device()?)?;
    let loss = work(&recording)?;
    let made = recording.find(loss.as_ref(), inputs, true)?;
    Ok((loss, made))
}
