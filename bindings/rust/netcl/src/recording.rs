//! What is recorded, and gradients of closures with the types of their inputs.

use crate::{op, primitive, sys, AnyTensor, Bf16, Device, Element, Error, GradientsOptions, Graph};
use crate::{GraphCall, PrimitiveOptions, Result, RunOptions, Status, Tensor, F16};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr;

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

thread_local! {
    /// What records the calls of this thread that name no graph; null: nothing does.
    #[allow(clippy::declare_interior_mutable_const)] // a constant is how it begins
    static CURRENT: Cell<*mut sys::netcl_graph> = const { Cell::new(ptr::null_mut()) };
}

/// While this lives, another graph records the calls of the thread.
pub(crate) struct Entered {
    before: *mut sys::netcl_graph,
}

impl Entered {
    /// # Safety
    /// The graph lives longer than what is made, or is null.
    pub(crate) unsafe fn new(graph: *mut sys::netcl_graph) -> Entered {
        Entered { before: CURRENT.with(|current| current.replace(graph)) }
    }

    /// For a function that the library calls: it records where its call says, or nowhere.
    ///
    /// # Safety
    /// `run` is null or what C lends to a function for as long as what is made lives.
    pub(crate) unsafe fn lent(run: *const sys::netcl_run_options) -> Entered {
        Entered::new(run.as_ref().map_or(ptr::null_mut(), |run| run.graph))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.with(|current| current.set(self.before));
    }
}

/// How a call without options runs that can be recorded.
pub(crate) fn run() -> sys::netcl_run_options {
    let graph = CURRENT.with(|current| current.get());
    sys::netcl_run_options { graph, ..sys::netcl_run_options::INIT }
}

impl RunOptions<'_> {
    /// For a call that can be recorded: one that names no graph goes into that of the thread.
    pub(crate) fn recorded(
        &self,
        keep: &mut crate::generated::RunOptionsKeep,
    ) -> Result<sys::netcl_run_options> {
        let mut raw = self.raw(keep)?;
        if raw.graph.is_null() {
            raw.graph = CURRENT.with(|current| current.get());
        }
        Ok(raw)
    }
}

/// Calls a closure of which nothing is recorded, though [`gradients`], [`Recording::record`] or a
/// graph's function is at work: what it computes is a constant. Calls that name a graph are recorded
/// there all the same. [`Tensor::detach`] makes a constant of one tensor.
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// let dev = netcl::Device::open("auto")?;
/// let w = dev.tensor(&[3.0f32], 1)?;
/// let (_, dw) = netcl::gradients(&w, |_| {
///     let constant = netcl::no_recording(|| &w * 10.0)?;
///     (&w * &constant)?.sum(..)
/// })?;
/// assert_eq!(dw.to_vec()?, [30.0]); // 60 if all of it were recorded
/// # Ok(())
/// # }
/// ```
pub fn no_recording<R>(work: impl FnOnce() -> R) -> R {
    // SAFETY: null.
    let _entered = unsafe { Entered::new(ptr::null_mut()) };
    work()
}

impl<T: Element> Tensor<T> {
    /// A copy through which no gradient goes: a constant, also in a function that is compiled.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// let w = dev.tensor(&[3.0f32], 1)?;
    /// let (_, dw) = netcl::gradients(&w, |_| (&w * &w.detach()?)?.sum(..))?;
    /// assert_eq!(dw.to_vec()?, [3.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn detach(&self) -> Result<Tensor<T>> {
        const NAME: &str = "netcl_rust_detach";
        let call = || op::primitive(NAME, &[self], Default::default(), Default::default());
        let made = match call() {
            Err(error) if error.status == Status::NOT_FOUND => {
                let options = PrimitiveOptions::new().arity(1).forward("v0").backward(&["0"]);
                // Another thread may have been faster; what else fails, the call says.
                let _ = primitive::register_with(NAME, options);
                call()?
            }
            other => other?,
        };
        made.typed()
    }
}

/// A span of time in which calls are recorded: those of the closures that [`record`](Self::record)
/// gets, and those that get the options of [`run`](Self::run). When it is dropped, also by a panic,
/// what was recorded is let go of. It stays on its thread.
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

    /// Calls a closure, and records what it computes: operators, methods and functions alike, but
    /// for calls that name another graph. [`no_recording`] leaves some out. Calls of other threads
    /// are not recorded, and neither are runs of graphs and models and calls of
    /// [`Sharded`](crate::Sharded): what these give is constant.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// let x = dev.tensor(&[1.0f32, 2.0], 2)?;
    /// let recording = netcl::Recording::new(&dev)?;
    /// let loss = recording.record(|| (&x * &x * &x)?.sum(..))?;
    /// let dx = recording.gradients(&loss, &x)?;
    /// assert_eq!(dx.to_vec()?, [3.0, 12.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn record<R>(&self, work: impl FnOnce() -> R) -> R {
        // SAFETY: the graph is borrowed for longer.
        let _entered = unsafe { Entered::new(self.graph.as_raw()) };
        work()
    }

    /// Options for a call that is to be recorded. They cannot outlive the recording. Within
    /// [`record`](Self::record) and [`gradients`](crate::gradients) calls need them no more than
    /// others.
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
        find(&self.graph, loss.as_ref(), inputs, false)
    }
}

fn find<I: Inputs>(
    graph: &Graph,
    loss: &AnyTensor,
    inputs: I,
    consume: bool,
) -> Result<I::Gradients> {
    if loss.len()? != 1 {
        return Err(Error::invalid(format!(
            "the loss has shape {:?}, and gradients are those of one number: sum it, or take its mean",
            loss.shape()
        )));
    }
    let mut all = Vec::new();
    inputs.list(&mut all);
    let options = GradientsOptions::new().consume(consume);
    let made = graph.add_gradients_with(&[loss], &all, options)?;
    inputs.typed(&mut made.into_iter())
}

/// Operators and methods in a graph's function are recorded as they are in [`gradients`]; nothing
/// has to be handed on. So one forward function does for training, for compiled steps and for runs
/// that record nothing:
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// use netcl::{Graph, GraphCall, Result, Tensor};
/// let dev = netcl::Device::open("auto")?;
/// fn loss(x: &Tensor<f32>, w: &Tensor<f32>) -> Result<Tensor<f32>> {
///     (x * w)?.square()?.sum(..)
/// }
/// let w = dev.tensor(&[3.0f32, 1.0], 2)?;
/// let kept = w.clone();
/// let step = move |call: &GraphCall<'_>| {
///     let value = loss(&call.input::<f32>(0)?, &kept)?;
///     let slope = call.gradients(&value, &kept)?;
///     (&kept - slope * 0.25)?.copy_with(netcl::RunOptions::new().into(&kept))?; // each run does
///     Ok(value)
/// };
/// let step = Graph::from_function(&dev, step, 1)?;
/// let x = dev.tensor(&[1.0f32, 2.0], 2)?;
/// assert_eq!(step.evaluate(&[&x])?.remove(0).typed::<f32>()?.item()?, 13.0); // 3² + 2²
/// assert_eq!(w.to_vec()?, [1.5, -1.0]);
/// assert_eq!(loss(&x, &w)?.item()?, 6.25);
/// # Ok(())
/// # }
/// ```
impl GraphCall<'_> {
    /// An input with its element type.
    pub fn input<T: Element>(&self, index: usize) -> Result<Tensor<T>> {
        let inputs = self.inputs();
        let input = inputs.get(index).ok_or_else(|| {
            Error::invalid(format!("index is {index}; the call has {} inputs", inputs.len()))
        })?;
        input.try_clone()?.typed()
    }

    /// The gradients of a loss of one element that the function recorded, in the form and with the
    /// types of the inputs, as those of [`Recording::gradients`].
    pub fn gradients<I: Inputs>(
        &self,
        loss: impl AsRef<AnyTensor>,
        inputs: I,
    ) -> Result<I::Gradients> {
        let run = self.run();
        let graph = run.graph.ok_or_else(|| Error::invalid("the call records nothing".into()))?;
        find(graph, loss.as_ref(), inputs, false)
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
/// types of the inputs. All that the closure computes on its thread is recorded: operators, methods
/// and functions, with options or without, as by [`Recording::record`]. [`no_recording`] and
/// [`Tensor::detach`] make constants. A call that names a graph of its own goes there.
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// let dev = netcl::Device::open("auto")?;
/// let x = dev.rand::<f32>(&[8, 3], 1)?;
/// let w = dev.rand::<f32>(&[3, 2], 2)?;
/// let b = dev.rand::<f32>(&[2], 3)?;
/// let (loss, (dw, db)) = netcl::gradients((&w, &b), |_| {
///     let y = (x.matmul(&w)? + &b)?.tanh()?;
///     y.square()?.sum(..)
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
    let loss = recording.record(|| work(&recording))?;
    let made = find(&recording.graph, loss.as_ref(), inputs, true)?;
    Ok((loss, made))
}
