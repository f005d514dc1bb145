//! Every call of a group, of two threads.

mod common;
use common::device;
use netcl::{op, Device, Group, Reducer, Reduction, Result, Status, Tensor, Timeout};
use netcl::{GradientsOptions, Graph, ReducerOptions, RunOptions};

type Values = [Vec<f32>; 4];

fn rank_work(dev: &Device, path: &str, index: u32) -> Result<Values> {
    let group = Group::join(dev, path, index, 2)?;
    let info = group.info()?;
    assert_eq!((info.rank, info.size), (index, 2));
    group.device()?;
    group.describe_device(1 - index)?;
    group.error()?;
    let again = group.try_clone()?;
    let x = dev.tensor(&[index as f32 + 1.0, 2.0], [2])?;
    let w = dev.tensor(&[0.0f32; 2], [2])?;
    let y = dev.tensor(&[0.0f32; 4], [4])?;
    let z = dev.tensor(&[0.0f32; 1], [1])?;
    again.barrier()?;
    group.all_reduce(&x, &x, Reduction::SUM)?;
    group.reduce(&x, Some(&x), Reduction::SUM, 0)?;
    group.broadcast(&x, 0)?;
    group.all_gather(&x, &y)?;
    group.gather(&x, Some(&y), 0)?;
    group.reduce_scatter(&x, &z, Reduction::SUM)?;
    group.all_to_all(&x, &[1, 1], &w)?;
    group.scatter(Some(&x), &z, 0)?;
    if index == 0 {
        group.send(&w, 1)?;
    } else {
        group.receive(&w, 0)?;
    }
    group.split(&[5, 5])?.barrier()?;
    Ok([x.to_vec()?, w.to_vec()?, y.to_vec()?, z.to_vec()?])
}

/// There is no MPI in this program, whether or not libnetcl-mpi.so is there.
#[test]
fn a_group_of_mpi() {
    let dev = device();
    let status = Group::mpi(&dev, netcl::MPI_WORLD).unwrap_err().status;
    assert!(status == Status::INVALID_ARGUMENT || status == Status::UNSUPPORTED);
    let status = Group::mpi(&dev, netcl::MPI_WORLD + 1).unwrap_err().status;
    assert_eq!(status, Status::INVALID_ARGUMENT);
}

#[test]
fn ranks_are_threads() {
    let dev = device();
    let folder = std::env::temp_dir().join(format!("netcl-group-{}", std::process::id()));
    let path = folder.join("meet").to_str().unwrap().to_string();
    let results: [Values; 2] = std::thread::scope(|scope| {
        [0, 1]
            .map(|index| {
                let (dev, path) = (&dev, &path);
                scope.spawn(move || rank_work(dev, path, index))
            })
            .map(|rank| rank.join().unwrap().unwrap())
    });
    for (index, [x, w, y, z]) in results.iter().enumerate() {
        assert_eq!(x[..], [6.0, 8.0]);
        assert_eq!(w[..], [6.0, 6.0]);
        assert_eq!(y[..], [6.0, 8.0, 6.0, 8.0]);
        assert_eq!(z[..], [[6.0, 8.0][index]]);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The gradient of the sum of x * x, joined over the ranks.
fn reduced_gradient(dev: &Device, path: &str, index: u32) -> Result<Vec<f32>> {
    let group = Group::join(dev, path, index, 2)?;
    let options = ReducerOptions::new().kind(Reduction::SUM);
    let reducer = Reducer::with_options(&group, options)?;
    let x = dev.tensor(&[index as f32 + 1.0, 2.0], [2])?;
    let graph = Graph::new(dev)?;
    let recorded = || RunOptions::new().graph(&graph);
    let square = op::expression_text("v0 * v0", &[&x], Default::default(), recorded())?;
    let sum = op::reduce(&square, Reduction::SUM, Default::default(), recorded())?;
    let how = GradientsOptions::new().reducer(&reducer);
    let made: Tensor<f32> = graph.add_gradients_with(&[&sum], &[&x], how)?.remove(0).typed()?;
    reducer.wait(Timeout::FOREVER)?;
    let info = reducer.try_clone()?.info()?;
    assert_eq!((info.runs, info.gradients, info.buckets), (1, 1, 1));
    made.to_vec()
}

#[test]
fn gradients_of_threads_are_joined() {
    let dev = device();
    let folder = std::env::temp_dir().join(format!("netcl-reducer-{}", std::process::id()));
    let path = folder.join("meet").to_str().unwrap().to_string();
    let results = std::thread::scope(|scope| {
        [0, 1]
            .map(|index| {
                let (dev, path) = (&dev, &path);
                scope.spawn(move || reduced_gradient(dev, path, index))
            })
            .map(|rank| rank.join().unwrap().unwrap())
    });
    for gradient in results {
        assert_eq!(gradient[..], [6.0, 8.0]);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
