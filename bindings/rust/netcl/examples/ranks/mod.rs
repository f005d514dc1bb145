//! The ranks of the group programs: processes that meet at a path, with `--threads` devices of one
//! process with a thread each, or with `--mpi` the processes that mpirun has started.

mod mpi;

use netcl::{Device, DeviceOptions, Group, MPI_WORLD};
use std::env;
use std::process::Command;

pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// One rank, as its program gets it.
pub struct Rank {
    pub group: Group,
    pub device: Device,
    pub index: u32,
    pub size: u32,
}

enum Kind {
    Processes,
    Threads,
    Mpi,
}

pub struct Ranks {
    kind: Kind,
    /// 4, or all processes of MPI, where it is not given.
    size: Option<u32>,
    /// Rank r has number r, and they begin anew where there are fewer.
    selectors: Vec<String>,
}

const INDEX: &str = "NETCL_EXAMPLE_RANK";
const MEETING: &str = "NETCL_EXAMPLE_MEETING";

impl Ranks {
    /// Takes `[--device SELECTOR]... [--threads | --mpi] [--ranks N]`, and gives what is left.
    pub fn from_arguments() -> Outcome<(Ranks, Vec<String>)> {
        let mut ranks = Ranks { kind: Kind::Processes, size: None, selectors: Vec::new() };
        let mut left = Vec::new();
        let mut given = env::args().skip(1);
        while let Some(word) = given.next() {
            match word.as_str() {
                "--device" => {
                    ranks.selectors.push(given.next().ok_or("--device needs a selector")?);
                }
                "--threads" => ranks.kind = Kind::Threads,
                "--mpi" => ranks.kind = Kind::Mpi,
                "--ranks" => {
                    ranks.size = Some(given.next().ok_or("--ranks needs a number")?.parse()?);
                }
                _ => left.push(word),
            }
        }
        if !(1..=16).contains(&ranks.size()) {
            return Err(format!("--ranks is {}; it is 1 to 16", ranks.size()).into());
        }
        if ranks.selectors.is_empty() {
            ranks.selectors.push("auto".into());
        }
        Ok((ranks, left))
    }

    fn size(&self) -> u32 {
        self.size.unwrap_or(4)
    }

    fn selector(&self, index: u32) -> &str {
        &self.selectors[index as usize % self.selectors.len()]
    }

    /// Runs the program once for each rank.
    pub fn run(&self, program: impl Fn(Rank) -> Outcome<()> + Sync) -> Outcome<()> {
        match (&self.kind, env::var(INDEX)) {
            (Kind::Threads, _) => self.run_threads(program),
            (Kind::Mpi, _) => self.run_mpi(program),
            (Kind::Processes, Ok(index)) => self.run_process(index.parse()?, program),
            (Kind::Processes, Err(_)) => self.start_processes(),
        }
    }

    fn run_threads(&self, program: impl Fn(Rank) -> Outcome<()> + Sync) -> Outcome<()> {
        // Without it all would be one device, which has one rank.
        let separate = DeviceOptions::new().separate(true);
        let devices: Vec<Device> = (0..self.size())
            .map(|index| Device::open_with(self.selector(index), separate))
            .collect::<netcl::Result<_>>()?;
        let groups = Group::create_local(&devices.iter().collect::<Vec<_>>())?;
        let ranks = (0..).zip(groups).zip(devices);
        std::thread::scope(|scope| {
            let program = &program;
            let size = self.size();
            // A rank that fails gives its group back, so that the others do not wait for it. All
            // are spawned before one is joined.
            #[allow(clippy::needless_collect)]
            let threads: Vec<_> = ranks
                .map(|((index, group), device)| {
                    scope.spawn(move || program(Rank { group, device, index, size }))
                })
                .collect();
            let mut ends = threads.into_iter().map(|thread| thread.join());
            ends.try_for_each(|end| end.map_err(|_| "a rank panicked")?)
        })
    }

    /// Starts the ranks, which are this program once more.
    fn start_processes(&self) -> Outcome<()> {
        let folder = env::temp_dir().join(format!("netcl-group-{}", std::process::id()));
        let mut started = Vec::new();
        for index in 0..self.size() {
            let mut command = Command::new(env::current_exe()?);
            command.args(env::args().skip(1)).env(INDEX, index.to_string());
            started.push(command.env(MEETING, folder.join("meet")).spawn()?);
        }
        let mut outcome = Ok(());
        for (index, mut rank) in started.into_iter().enumerate() {
            let end = rank.wait()?;
            if !end.success() {
                outcome = Err(format!("rank {index} ended with {end}").into());
            }
        }
        // It is not there where no rank has come to its meeting.
        let _ = std::fs::remove_dir(&folder);
        outcome
    }

    fn run_process(&self, index: u32, program: impl Fn(Rank) -> Outcome<()>) -> Outcome<()> {
        let device = Device::open(self.selector(index))?;
        let group = Group::join(&device, &env::var(MEETING)?, index, self.size())?;
        program(Rank { group, device, index, size: self.size() })
    }

    /// This process is one rank. One that fails leaves MPI as it is, so that mpirun ends the others.
    fn run_mpi(&self, program: impl Fn(Rank) -> Outcome<()>) -> Outcome<()> {
        let mpi = mpi::Mpi::begin()?;
        // A group of built-in devices tells which rank this is, and so which device it has.
        let first = Group::mpi(&Device::open("builtin")?, MPI_WORLD)?;
        let device = Device::open(self.selector(first.info()?.rank))?;
        let group = Group::mpi(&device, MPI_WORLD)?;
        let info = group.info()?;
        if matches!(self.size, Some(size) if size != info.size) {
            return Err(format!("--ranks is not {}, the processes of MPI", info.size).into());
        }
        program(Rank { group, device, index: info.rank, size: info.size })?;
        mpi.end()
    }
}
