//! Searches and tuners as iterators: what happens, what was tried and what was found.

use crate::{
    Config, Error, Result, Search, SearchCandidate, SearchEvent, Status, Timeout, Tuner,
    TunerResult, TuningDatabase, TuningRecord,
};
use std::time::Duration;

/// Events of a search or of a tuner, see [`Search::events`] and [`Tuner::events`].
#[derive(Debug)]
pub struct SearchEvents<'a> {
    source: Source<'a>,
    after: u64,
    failed: bool,
}

#[derive(Debug)]
enum Source<'a> {
    Search(&'a Search),
    Tuner(&'a Tuner),
}

impl<'a> SearchEvents<'a> {
    fn of(source: Source<'a>) -> SearchEvents<'a> {
        SearchEvents { source, after: 0, failed: false }
    }
}

impl Iterator for SearchEvents<'_> {
    type Item = Result<SearchEvent>;

    fn next(&mut self) -> Option<Result<SearchEvent>> {
        if self.failed {
            return None;
        }
        let read = match self.source {
            Source::Search(search) => search.read_event(self.after, Timeout::FOREVER),
            Source::Tuner(tuner) => tuner.read_event(self.after, Timeout::FOREVER),
        };
        match read {
            Ok(event) => {
                self.after = event.sequence;
                Some(Ok(event))
            }
            Err(error) if error.status == Status::NOT_FOUND => None,
            Err(error) => {
                self.failed = true;
                Some(Err(error))
            }
        }
    }
}

/// What an index leads to, up to the first index that is not there.
fn counted<'a, T: 'a>(
    mut at: impl FnMut(u32) -> Result<T> + 'a,
) -> impl Iterator<Item = Result<T>> + 'a {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let index: u32 = next?;
        let found = at(index);
        next = if found.is_ok() { index.checked_add(1) } else { None };
        match found {
            Err(error) if error.status == Status::NOT_FOUND => None,
            other => Some(other),
        }
    })
}

impl Search {
    /// The events that are kept and those to come, each when it happens, until the search is over.
    /// The loop that measures runs on another thread, or has ended.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// use netcl::{Device, Search, SearchEventKind, Space};
    /// let space = Space::new()?;
    /// space.add_ints("TILE", &[8, 16, 32])?;
    /// let search = Search::new(&space, &Device::open("builtin")?.capabilities()?, None)?;
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| search.run(|config, samples| {
    ///         let time = 100.0 / config.int("TILE")? as f64; // measure here
    ///         Ok(vec![time; samples as usize])
    ///     }));
    ///     for event in search.events() {
    ///         let event = event?;
    ///         println!("{:3.0} %, best {} ns", 100.0 * event.fraction, event.best_ns);
    ///     }
    ///     assert_eq!(search.best()?.int("TILE")?, 32);
    ///     Ok(())
    /// })
    /// # }
    /// ```
    pub fn events(&self) -> SearchEvents<'_> {
        SearchEvents::of(Source::Search(self))
    }

    /// Runs the search to its end: `measure` gives so many times of a configuration, in
    /// nanoseconds. Its errors count as failures of the configuration, by their status
    /// (`BUILD_FAILURE` as not compiling, `TIMEOUT` as hanging, others as failing at run time).
    pub fn run(&self, mut measure: impl FnMut(&Config, u64) -> Result<Vec<f64>>) -> Result<()> {
        while let (candidate, samples, Some(config)) = self.ask()? {
            match measure(&config, samples) {
                Ok(times) => self.tell(candidate, &times)?,
                Err(error) => {
                    let outcome = match error.status {
                        Status::BUILD_FAILURE => crate::Outcome::COMPILE,
                        Status::TIMEOUT => crate::Outcome::HANG,
                        _ => crate::Outcome::RUNTIME,
                    };
                    let message = error.message.replace('\0', " ");
                    self.tell_failure(candidate, outcome, Some(&message))?;
                }
            }
        }
        Ok(())
    }

    /// All candidates with their configurations, in the order of their first ask.
    pub fn candidates(&self) -> impl Iterator<Item = Result<(SearchCandidate, Config)>> + '_ {
        counted(move |index| self.candidate(index))
    }
}

impl Tuner {
    /// The events that are kept and, during a run, those to come, each when it happens. Ends when
    /// no run is under way and none is left, and goes on when it is asked again later.
    pub fn events(&self) -> SearchEvents<'_> {
        SearchEvents::of(Source::Tuner(self))
    }

    /// As [`Tuner::run`], with a function that gets each event, on this thread, while another one
    /// runs the tuner. It may call [`Tuner::cancel`]; a panic in it cancels the run and goes on.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// use netcl::{Device, Dtype, SearchOptions, Tuner, TunerOptions, TuningDatabase};
    /// let database = TuningDatabase::open(":memory:")?;
    /// let search = SearchOptions::new().evaluations(2).samples(3);
    /// let options = TunerOptions::new().search(search).database(&database);
    /// let tuner = Tuner::with_options(&Device::open("auto")?, options)?;
    /// tuner.add_matmul(1, 32, 32, 32, Dtype::F32)?;
    /// let mut events = 0;
    /// tuner.run_watched(|event| {
    ///     println!("{:3.0} %, best {} ns", 100.0 * event.fraction, event.best_ns);
    ///     events += 1;
    /// })?;
    /// assert!(events > 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn run_watched(&self, mut watch: impl FnMut(&SearchEvent)) -> Result<()> {
        // Events of earlier runs are passed over.
        let mut after = 0;
        while let Ok(event) = self.read_event(after, Timeout::POLL) {
            after = event.sequence;
        }
        std::thread::scope(|scope| {
            let run = std::thread::Builder::new().spawn_scoped(scope, || self.run());
            let run = run.map_err(|error| Error {
                status: Status::OUT_OF_HOST_MEMORY,
                native_code: 0,
                message: format!("a thread for the run: {error}"),
            })?;
            let cancels = CancelsOnPanic(self);
            loop {
                // Asked for first: what happened before the end is still read after it.
                let over = run.is_finished();
                match self.read_event(after, Duration::from_millis(20)) {
                    Ok(event) => {
                        after = event.sequence;
                        watch(&event);
                    }
                    Err(_) if over => break,
                    Err(error) if error.status == Status::TIMEOUT => {}
                    // The run has not begun, or is about to end.
                    Err(_) => std::thread::sleep(Duration::from_millis(1)),
                }
            }
            drop(cancels);
            run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// How all entries stand, in the order in which they were added.
    pub fn results(&self) -> impl Iterator<Item = Result<(TunerResult, Option<Config>)>> + '_ {
        counted(move |index| self.result(index))
    }
}

struct CancelsOnPanic<'a>(&'a Tuner);

impl Drop for CancelsOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The panic is what is told; a run that is over cannot be cancelled and need not be.
            let _ = self.0.cancel();
        }
    }
}

impl TuningDatabase {
    /// All records with their configurations.
    pub fn records(&self) -> impl Iterator<Item = Result<(TuningRecord, Config)>> + '_ {
        counted(move |index| self.record(index.into()))
    }
}
