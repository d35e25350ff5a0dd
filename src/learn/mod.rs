//! N-tuple networks and their training by temporal differences.
//!
//! A network values an *afterstate*: the board after a move, before the new tile. The value is the expected reward of
//! the rest of the game, so the value is 0 if the game is over. In training the network plays games and moves the value
//! of each afterstate toward the reward of the next move plus the value of the next afterstate.
//!
//! Reading order: [`Patterns`] (which cells), [`Network`] (tables of weights), `file` (network files), `choose` (the
//! best move of a board, with prefetching), `hits` and [`Method`] (how errors change weights), [`Trainer`] and
//! `worker` (games in lockstep), `checkpoint` (files to continue a training from), [`play`] (games with fixed weights).
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
mod worker;

#[cfg(feature = "files")]
pub use file::{Provenance, is_network};
pub use lane::Finished;
pub use method::{METHODS, Method};
pub use network::{Contribution, Network};
pub use patterns::{NAMED, Patterns};
pub use player::{Play, play, play_seeds};
pub use trainer::{Budget, Progress, Settings, Threads, Trainer};
