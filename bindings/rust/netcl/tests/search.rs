//! Searches by ask and tell, tuners, and the database that keeps what they find.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, is_opencl};
use netcl::{
    Config, Conv2dShape, Device, Dtype, Format, Kernel, KernelOptions, KernelTuning, Match,
    Outcome, Search, SearchEventKind, SearchOptions, SearchStrategy, Space, Status, StopReason,
    Timeout, Tuner, TunerOptions, TuningDatabase, TuningKey, TuningRecord, TuningRecordKind, Work,
};

const NOW: Timeout = Timeout::POLL;

fn key(extent: i64) -> TuningKey<'static> {
    let mut shape = [0; 24];
    shape[0] = extent;
    let kernel = Some("product");
    let mut key = TuningKey::new().dtypes("f32,f32").shape(shape).shape_count(1);
    key.kernel = kernel;
    key
}

fn space_of(values: &[i64]) -> Space {
    let space = Space::new().unwrap();
    space.add_ints("A", values).unwrap();
    space
}

/// A path of this test that nobody else uses.
fn path_of(name: &str) -> String {
    let name = format!("netcl-{}-{name}", std::process::id());
    std::env::temp_dir().join(name).to_str().unwrap().to_string()
}

/// Measures on a machine where A = 3 is the fastest and A = 4 is wrong.
fn finish(search: &Search) -> u64 {
    let mut asked = 0;
    while let (candidate, samples, Some(config)) = search.ask().unwrap() {
        let a = config.int("A").unwrap();
        if a == 4 {
            search.tell_failure(candidate, Outcome::CORRECTNESS, Some("off by 1")).unwrap();
            continue;
        }
        asked += samples;
        let time = 1000.0 + 100.0 * ((a - 3) * (a - 3)) as f64;
        let times: Vec<f64> = (0..samples).map(|i| time + (i % 3) as f64).collect();
        search.tell(candidate, &times).unwrap();
    }
    asked
}

#[test]
fn a_search_finds_the_fastest_and_is_stored() {
    let dev = device();
    let capabilities = dev.capabilities().unwrap();
    let space = space_of(&[1, 2, 3, 4, 5, 6]);
    let options = SearchOptions::new().strategy(SearchStrategy::EXHAUSTIVE);
    let search = Search::with_options(&space, &capabilities, None, options).unwrap();
    assert_eq!(search.result().unwrap().stop, StopReason::RUNNING);
    assert!(finish(&search) > 6);
    assert_eq!(search.best().unwrap().int("A").unwrap(), 3);
    let result = search.result().unwrap();
    assert_eq!((result.configurations, result.evaluations, result.is_default), (6, 6, false));
    assert_eq!(result.counts[Outcome::CORRECTNESS.0 as usize], 1);
    assert!((result.gain - result.default_median / result.median).abs() < 1e-9);
    assert!(result.gain > 1.3 && (1000.0..1003.0).contains(&result.median));
    let (candidate, config) = search.candidate(result.best).unwrap();
    assert_eq!((candidate.outcome, candidate.median), (Outcome::CORRECT, result.median));
    assert_eq!(config.int("A").unwrap(), 3);
    let samples = search.samples(result.best).unwrap();
    assert_eq!(samples.len() as u64, candidate.samples_count);
    assert!(samples.iter().all(|time| (1000.0..1003.0).contains(time)));
    fails(search.candidate(6), Status::NOT_FOUND, "");
    fails(search.tell(6, &[1.0]), Status::INVALID_ARGUMENT, "");
    assert!(search.failure(Outcome::CORRECTNESS).unwrap().contains("off by 1"));
    assert_eq!(search.failure(Outcome::CRASH).unwrap(), "");

    // All events are there, in their order, and after the last one none will come.
    let (mut after, mut kinds) = (0, Vec::new());
    let over = loop {
        match search.read_event(after, NOW) {
            Ok(event) => {
                assert_eq!(event.sequence, after + 1);
                after = event.sequence;
                kinds.push(event.kind);
            }
            Err(error) => break error,
        }
    };
    assert_eq!(over.status, Status::NOT_FOUND);
    assert_eq!(kinds.first(), Some(&SearchEventKind::STARTED));
    assert_eq!(kinds.last(), Some(&SearchEventKind::STOPPED));
    assert_eq!(kinds.iter().filter(|kind| **kind == SearchEventKind::CANDIDATE).count(), 6);

    let database = TuningDatabase::open(":memory:").unwrap();
    search.store(&database, Some(&dev), key(6)).unwrap();
    let (record, config) = database.lookup(Some(&dev), key(6)).unwrap();
    assert_eq!((record.match_, record.median), (Match::EXACT, result.median));
    assert_eq!(config.unwrap().int("A").unwrap(), 3);
    // Another search takes the measurements over and asks for less.
    let second = Search::with_options(&space, &capabilities, None, options).unwrap();
    assert!(second.resume(&database, Some(&dev), key(6)).unwrap() >= 5);
    assert_eq!(second.resume(&database, Some(&dev), key(7)).unwrap(), 0);
    assert!(second.clone() == second && finish(&second) > 0);
    assert!(second.result().unwrap().known >= 5);
    assert_eq!(second.best().unwrap().int("A").unwrap(), 3);
}

#[test]
fn a_search_can_be_cancelled_and_refuses_a_wrong_default() {
    let capabilities = device().capabilities().unwrap();
    let space = space_of(&[1, 2]);
    let wrong = Config::from_json(r#"{"A": 9}"#).unwrap();
    fails(Search::new(&space, &capabilities, Some(&wrong)), Status::INVALID_ARGUMENT, "A");
    let right = Config::from_json(r#"{"A": 2}"#).unwrap();
    let search = Search::new(&space, &capabilities, Some(&right)).unwrap();
    let (candidate, samples, config) = search.ask().unwrap();
    assert_eq!((candidate, samples, config.unwrap().int("A").unwrap()), (0, 1, 2));
    fails(search.read_event(99, NOW), Status::TIMEOUT, "");
    std::thread::scope(|scope| {
        scope.spawn(|| search.cancel().unwrap());
    });
    search.tell(0, &[5.0]).unwrap();
    let (_, samples, config) = search.ask().unwrap();
    assert!(samples == 0 && config.is_none());
    assert_eq!(search.result().unwrap().stop, StopReason::CANCELLED);
}

#[test]
fn a_recording_is_replayed() {
    let text = r#"{"tune_params_keys": ["A"], "tune_params": {"A": [1, 2, 4]},
        "cache": {"1": 2.5, "2": 3.5, "4": 1.5}}"#;
    let result = Search::replay(text).unwrap();
    assert_eq!((result.recorded, result.optimum, result.best), (3, 1.5e6, 1.5e6));
    fails(Search::replay_with("{", SearchOptions::default()), Status::CORRUPT_DATA, "");
}

#[test]
fn a_database_keeps_records() {
    let dev = device();
    let path = path_of("database.jsonl");
    let database = TuningDatabase::open(&path).unwrap();
    let (none, config) = database.lookup(Some(&dev), key(64)).unwrap();
    assert!(none.match_ == Match::NONE && config.is_none());
    let config = Config::from_json(r#"{"TILE": 16}"#).unwrap();
    let mut record: TuningRecord = none;
    record.kind = TuningRecordKind::BEST;
    record.median = 125.0;
    database.put(Some(&dev), key(64), &config, &record).unwrap();
    let (found, best) = database.lookup(Some(&dev), key(64)).unwrap();
    assert_eq!((found.match_, found.median), (Match::EXACT, 125.0));
    assert_eq!(found.part.as_str(), dev.part().unwrap());
    assert_eq!(dev.match_record(&found).unwrap(), Match::EXACT);
    assert_eq!((found.shape[0], found.shape_count), (64, 1));
    assert_eq!(best.unwrap().int("TILE").unwrap(), 16);
    assert_eq!(database.lookup(Some(&dev), key(96)).unwrap().0.match_, Match::NEAREST_SHAPE);
    assert_eq!(database.lookup(None, key(64)).unwrap().0.match_, Match::NONE);
    let nameless = database.put(Some(&dev), TuningKey::default(), &config, &record);
    fails(nameless, Status::INVALID_ARGUMENT, "kernel");

    let (listed, again) = database.record(0).unwrap();
    assert_eq!((listed.kernel.as_str(), again.int("TILE").unwrap()), ("product", 16));
    fails(database.record(1), Status::NOT_FOUND, "");
    let other = TuningDatabase::open(":memory:").unwrap();
    assert_eq!(other.merge(&path).unwrap(), 1);
    assert!(other.export(None, Format::CSV).unwrap().contains("product"));
    assert!(!other.export(Some("none"), Format::CSV).unwrap().contains("product"));
    fails(other.export(None, Format::TEXT), Status::UNSUPPORTED, "");
    // Another user of the file sees a later record once it looks.
    let reader = TuningDatabase::open(&path).unwrap();
    database.put(Some(&dev), key(64), &config, &record).unwrap();
    reader.refresh().unwrap();
    let info = reader.info().unwrap();
    assert_eq!((info.records, info.lines, info.superseded), (1, 2, 1));
    assert_eq!((info.path.as_str(), info.reason.as_str()), (path.as_str(), ""));
    database.compact().unwrap();
    assert_eq!(database.info().unwrap().lines, 1);
    database.clear(Some("product")).unwrap();
    assert_eq!(database.clone().info().unwrap().records, 0);
    std::fs::remove_file(&path).unwrap();
    // The one of this user is the same object wherever it is opened.
    TuningDatabase::open(None).unwrap().info().unwrap();
}

fn patient() -> SearchOptions {
    SearchOptions::new().samples(3).budget_ns(600_000_000_000)
}

#[test]
fn a_tuner_tunes_ops() {
    let dev = device();
    let database = TuningDatabase::open(":memory:").unwrap();
    let search = patient().evaluations(4);
    let options = TunerOptions::new().search(search).database(&database).warmup_count(1);
    let tuner = Tuner::with_options(&dev, options).unwrap();
    tuner.add_matmul(1, 33, 24, 40, Dtype::F32).unwrap();
    tuner.add_reduction(3, 5000, Dtype::F32).unwrap();
    let image = Conv2dShape::new()
        .batch(1)
        .channels(4)
        .height(8)
        .width(8)
        .filters(4)
        .kernel_height(3)
        .kernel_width(3);
    tuner.add_conv2d(image, Dtype::F32).unwrap();
    fails(tuner.add_matmul(1, 4, 4, 4, Dtype::I32), Status::UNSUPPORTED, "");
    fails(tuner.add_conv2d(image, Dtype::U8), Status::UNSUPPORTED, "");
    fails(tuner.add_reduction(-1, 4, Dtype::F32), Status::INVALID_ARGUMENT, "");
    assert_eq!(tuner.count().unwrap(), 3);
    let (result, config) = tuner.result(0).unwrap();
    assert!(result.match_ == Match::NONE && !result.measured && config.is_none());
    fails(tuner.search(0), Status::NOT_FOUND, "");
    fails(tuner.read_event(0, NOW), Status::NOT_FOUND, "");

    tuner.run().unwrap();
    for (index, name) in ["matmul", "reduction", "conv2d"].into_iter().enumerate() {
        let (result, config) = tuner.result(index as u32).unwrap();
        assert_eq!(result.status, Status::OK, "{}", result.message.as_str());
        assert_eq!(result.name.as_str(), format!("op.{name}"));
        assert!(result.match_ == Match::EXACT && result.measured && result.median > 0.0);
        assert!(config.unwrap().text("variant").unwrap().starts_with(&name[..6]));
        assert_eq!(tuner.search(index as u32).unwrap().result().unwrap().median, result.median);
    }
    fails(tuner.result(3), Status::NOT_FOUND, "");
    assert_eq!(tuner.read_event(0, NOW).unwrap().kind, SearchEventKind::STARTED);
    fails(tuner.lookup("none", 1), Status::NOT_FOUND, "none");

    // What was found travels in a file.
    let path = path_of("tuned.jsonl");
    tuner.save(&path).unwrap();
    tuner.clear().unwrap();
    assert_eq!((tuner.count().unwrap(), database.info().unwrap().records), (0, 0));
    tuner.load(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    fails(tuner.load(&path), Status::IO, "");
    tuner.add_matmul(1, 33, 24, 40, Dtype::F32).unwrap();
    tuner.clone().run().unwrap();
    let (result, config) = tuner.result(0).unwrap();
    assert_eq!((result.match_, result.measured), (Match::EXACT, false));
    assert!(config.is_some());
    // Nothing is under way that this could end.
    tuner.cancel().unwrap();
    drop(Tuner::new(&dev).unwrap());
}

const WORKING: &str = "
#ifndef WORK
#define WORK 3000
#endif
__kernel void k(__global const float *a, __global float *out, float f) {
  const int i = get_global_id(0);
  float x = a[i];
  for (int r = 0; r < WORK; ++r) x = mad(x, 0.999f, 0.001f * f);
  for (int r = 0; r < WORK; ++r) x = (x - 0.001f * f) / 0.999f;
  out[i] = a[i] * f + (x > 1e30f ? 1.0f : 0.0f);
}";

fn working_kernel(dev: &Device) -> Kernel {
    let options = KernelOptions::new().source(WORKING);
    common::kernel(dev, "k", options).unwrap()
}

#[test]
fn a_kernel_is_tuned() {
    let dev = device();
    if !is_opencl(&dev) {
        return;
    }
    const ITEMS: usize = 4096;
    let kernel = working_kernel(&dev);
    let a = dev.rand::<f32>(ITEMS, 1).unwrap();
    let out = dev.zeros::<f32>(ITEMS).unwrap();
    let args = [(&a).into(), (&out).into(), 2.0f32.into()];
    let space = Space::new().unwrap();
    space.add_ints("WORK", &[3000, 1]).unwrap();
    let database = TuningDatabase::open(":memory:").unwrap();
    let search = patient();
    let work = Work::new().bytes(8.0 * ITEMS as f64);
    let tuning = || KernelTuning::new().local_sizes(&[64]).space(&space).work(work);
    // PoCL compiles for a local size at its first launch.
    let options = || {
        TunerOptions::new()
            .search(search)
            .database(&database)
            .run_limit_ns(100_000_000_000)
            .in_process(true)
    };
    // SAFETY: 4096 items for 4096 elements, whatever WORK is.
    unsafe {
        let (config, search) = kernel.autotune_with(ITEMS, &args, tuning(), options()).unwrap();
        assert_eq!((config.int("WORK").unwrap(), config.int("LOCAL_X").unwrap()), (1, 64));
        assert!(search.unwrap().result().unwrap().gain > 1.5);
        // What is stored is taken.
        let (config, search) = kernel.autotune_with(ITEMS, &args, tuning(), options()).unwrap();
        assert!(config.int("WORK").unwrap() == 1 && search.is_none());
        // The arguments are copied, never written.
        assert!(out.to_vec().unwrap().iter().all(|value| *value == 0.0));

        let tuner = Tuner::with_options(&dev, options()).unwrap();
        tuner.add(&kernel, ITEMS, &args, tuning()).unwrap();
        let unused = tuning().tile_sizes(&[8, 16]);
        let refused = tuner.add(&kernel, ITEMS, &args, unused);
        fails(refused, Status::INVALID_ARGUMENT, "TILE_SIZE");
        let less = Work::new().bytes(-1.0);
        let refused = tuning().work(less);
        let refused = tuner.add(&kernel, ITEMS, &args, refused);
        fails(refused, Status::INVALID_ARGUMENT, "work->bytes is -1");
        tuner.run().unwrap();
        let (result, _) = tuner.result(0).unwrap();
        assert_eq!((result.match_, result.measured), (Match::EXACT, false));
        let (found, config) = tuner.lookup("k", ITEMS).unwrap();
        assert_eq!((found, config.unwrap().int("WORK").unwrap()), (Match::EXACT, 1));
        let (found, config) = tuner.lookup("k", ITEMS * 64).unwrap();
        assert!(found == Match::NONE && config.is_none());
    }
}
