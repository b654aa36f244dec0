//! The processes of an MPI job: the only file that names MPI.
//!
//! Every rank does the work of one shard and sends its part to rank 0, which merges them. So a job
//! does what shards and `merge` do, and prints the same bytes with any number of ranks. There is one
//! message of each rank at its end: nothing can wait for a rank that took another turn.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::ArgMatches;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::traits::{Communicator as _, Destination as _, Source as _};

use super::{Context, Outcome, OutputPath, Sharing, Verb, sharing};
use crate::input::STDIN;
use crate::progress::Stopped;
use crate::shards::{MAX_SHARDS, Part, Parts, Shard, Units};

/// Variables that process managers set for the processes of a job.
const OF_JOBS: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"];

/// Bytes of one message: MPI counts them in 31 bits.
const MESSAGE: usize = 1 << 28;

/// First byte of what a rank sends: a part, or why there is none.
const PART: u8 = b'+';
const FAILURE: u8 = b'-';

/// All ranks of a job, of which this process is one.
pub(super) struct Ranks {
    universe: Universe,
}

impl Ranks {
    /// The ranks of the job that this process belongs to; `None` where it runs alone.
    pub(super) fn of_job() -> Option<Self> {
        if OF_JOBS.iter().all(|name| std::env::var_os(name).is_none()) {
            return None;
        }
        // The verb runs on a thread of its own; only the main thread speaks to other ranks.
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        Some(Self { universe }).filter(|ranks| ranks.universe.world().size() > 1)
    }

    /// Whether this rank prints and writes.
    pub(super) fn is_first(&self) -> bool {
        self.universe.world().rank() == 0
    }

    /// Ends all ranks with this exit code, wherever they are.
    pub(super) fn give_up(&self, code: u8) -> ! {
        self.universe.world().abort(code.into())
    }

    /// The work of this rank.
    ///
    /// # Errors
    /// When there are too many, or not as many as were started.
    fn shard(&self) -> Result<Shard> {
        let world = self.universe.world();
        let number = |number: i32| u64::try_from(number).unwrap_or(0);
        let (rank, ranks) = (number(world.rank()), number(world.size()));
        if let Some((name, started)) = sharing::started().filter(|(_, started)| *started != ranks) {
            bail!("MPI has {ranks} ranks, but {name} says {started}: use the mpirun of this MPI");
        }
        let shard = Shard::new(rank + 1, ranks);
        shard.ok_or_else(|| anyhow!("{ranks} ranks are too many: at most {MAX_SHARDS} can share"))
    }

    /// The units of this rank; with `--part` its part is in a file in that folder.
    ///
    /// # Errors
    /// When the work cannot be shared, or the part cannot be used.
    pub(super) fn units(&self, verb: &Verb, matches: &ArgMatches) -> Result<Units> {
        let shard = self.shard()?;
        if !sharing::is_shared(verb) {
            bail!("the work of `{}` cannot be shared: run it without MPI", verb.name);
        }
        if matches.contains_id("shard") {
            bail!("`--shard` is for jobs without MPI, where each process is started by itself");
        }
        (verb.check_sharing)(matches, Sharing::Job)?;
        let command = sharing::command_of(verb, matches)?;
        let Some(folder) = matches.get_one::<OutputPath>("part") else {
            return Ok(Arc::new(Part::in_memory(command, shard)).into());
        };
        if **folder == *Path::new(STDIN) {
            bail!("the ranks resume from their parts, so `--part` must be a folder, not `-`");
        }
        let cannot = || format!("cannot create the folder {}", folder.display());
        fs::create_dir_all(&**folder).with_context(cannot)?;
        let name = format!("part-{}", shard.to_string().replace('/', "-of-"));
        Ok(Arc::new(Part::open(&folder.join(name), command, shard)?).into())
    }

    /// Sends the part of this rank, of which `done` says what became, to the first one, which gets
    /// all of them; `None` on the others.
    ///
    /// # Errors
    /// Why there is no part, on the first rank that of any.
    pub(super) fn gather(
        &self,
        done: Result<Outcome>,
        context: Option<&Context>,
    ) -> Result<Option<Parts>> {
        let own = done.and_then(|_| {
            let part = context.and_then(|context| context.units().part());
            let part = part.ok_or_else(|| anyhow!("this rank has no part"))?;
            Ok((part.path().to_string(), part.text()?))
        });
        if !self.is_first() {
            self.send(&own);
            return Ok(None);
        }
        let others: Vec<Vec<u8>> = (1..self.universe.world().size()).map(|r| self.get(r)).collect();
        let mut texts = vec![Ok(own?)];
        for (rank, mut bytes) in (1..).zip(others) {
            let kind = bytes.pop();
            if kind != Some(PART) {
                bail!("rank {rank}: {}", String::from_utf8_lossy(&bytes));
            }
            texts.push(Ok((format!("the part of rank {rank}"), bytes)));
        }
        if context.is_some_and(Context::is_stopped) {
            let how = "a job has no bounds before its end; `--part FOLDER` lets it resume";
            return Err(Stopped).context(how);
        }
        Ok(Some(Parts::read(texts)?))
    }

    /// Sends a part, or why there is none, to the first rank.
    fn send(&self, own: &Result<(String, Vec<u8>)>) {
        let world = self.universe.world();
        let first = world.process_at_rank(0);
        let failure = own.as_ref().err().map(|error| super::sentence(error).into_bytes());
        let (bytes, kind) = match (own, &failure) {
            (Ok((_, text)), _) => (&text[..], PART),
            (Err(_), failure) => (failure.as_deref().unwrap_or_default(), FAILURE),
        };
        bytes.chunks(MESSAGE).for_each(|some| first.send(some));
        first.send(&[kind][..]);
        first.send(&[0_u8; 0][..]);
    }

    /// The message of a rank, with its kind at the end.
    fn get(&self, rank: i32) -> Vec<u8> {
        let world = self.universe.world();
        let process = world.process_at_rank(rank);
        let mut bytes = Vec::new();
        loop {
            let (some, _) = process.receive_vec::<u8>();
            if some.is_empty() {
                return bytes;
            }
            bytes.extend(some);
        }
    }
}
