//! N-tuple networks and their training by temporal differences.
//!
//! A network values an *afterstate*: the board after a move, before the new tile. The value is the reward that the rest
//! of the game is expected to bring, so a board on which the game is over is worth 0. Training plays games against
//! itself and moves the value of each afterstate toward the reward of the next move plus the value after it.
//!
//! Reading order: [`Patterns`] (which cells), [`Network`] (tables of weights), `file` (as a file on disk), `choose` (the
//! best move of many boards at once), `hits` and [`Method`] (how errors change weights), [`Trainer`] (games in
//! lockstep), `checkpoint` (a stopped training), [`play`] (games with fixed weights).
//!
//! References: Szubert and Jaskowski, *Temporal difference learning of n-tuple networks for the game 2048* (2014);
//! Jaskowski, *Mastering 2048 with delayed temporal coherence learning* (2016).

#[cfg(feature = "files")]
mod checkpoint;
mod choose;
#[cfg(feature = "files")]
mod container;
#[cfg(feature = "files")]
mod file;
mod hits;
mod index;
mod lane;
mod learner;
mod memory;
mod method;
mod network;
mod patterns;
mod player;
mod trainer;

#[cfg(feature = "files")]
pub use file::{Provenance, is_network};
pub use lane::Finished;
pub use method::{METHODS, Method};
pub use network::{Contribution, Network};
pub use patterns::{NAMED, Patterns};
pub use player::{Play, play, play_seeds};
pub use trainer::{Budget, Progress, Settings, Threads, Trainer};
