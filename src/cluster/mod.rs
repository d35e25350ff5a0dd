//! Games on other machines: workers that play for a leader.
//!
//! A leader starts copies of `lab2048 worker` by a command of the user: `ssh`, `srun`, or the program itself. They
//! exchange lines of JSON over the standard input and output of the workers. A game is a function of its player and its
//! seed. So it does not matter which worker plays it, in which order games end, or whether one is played twice.

pub mod capacity;
mod dispatch;
mod message;
mod player;
mod pool;
mod process;
pub mod slurm;
mod worker;

pub use message::MOST_GAMES;
pub use player::PlayerText;
pub use pool::{Chunk, PoolError, Urgency, WorkerPool};
pub use worker::serve;
