//! Checks that games change only with the engine revision: hashes of short games of every agent, on every game, with
//! every heuristic.
//!
//! `signatures.txt` has the hashes. If a change gives other games, raise `ENGINE_REVISION` in `src/engine.rs` and write
//! the file again: `UPDATE_SIGNATURES=1 cargo test --test it signatures`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use lab2048::agents::{AgentKind, AgentSpec, KINDS};
use lab2048::engine::ENGINE_REVISION;
use lab2048::heuristics::Playable;
use lab2048::play::{Match, Opponent};
use lab2048::rng::{Comparison, Seeds, Test, Training, Validation};
use lab2048::spec::{GAMES, GameSpec, GameTask};
use lab2048::store::checksum::short_hash;

/// Options that keep games short, for the agents that have them.
const SMALL: [(&str, &str); 6] =
    [("depth", "2"), ("iterations", "12"), ("runs", "2"), ("cap", "6"), ("moves", "1"), ("width", "2")];
/// The tile that ends a game of 2048.
const GOAL: &str = "64";
const SEEDS: [u64; 2] = [1, 2];
const HOW: &str = "UPDATE_SIGNATURES=1 cargo test --test it signatures";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/signatures.txt")
}

/// One game of an agent, with an opponent where the game has one.
struct Play<'a> {
    agent: &'a AgentSpec,
    opponent: Option<AgentSpec>,
}

impl GameTask for Play<'_> {
    type Output = u64;

    fn run<G: Playable>(self, game: G) -> u64 {
        let mut text = String::new();
        for seed in SEEDS {
            let mut agent = self.agent.build(&game).unwrap();
            let opponent = self.opponent.as_ref().filter(|_| G::ADVERSARIAL);
            let mut opponent = opponent.map_or(Opponent::Chance, |spec| Opponent::Agent(spec.build(&game).unwrap()));
            let played = Match { game: &game, agent: agent.as_mut(), opponent: &mut opponent }.play(seed, |_| {});
            let r = played.result;
            text += &format!("{} {} {} {} {} {}\n", r.score, r.max_tile, r.moves, r.won, r.nodes, r.work);
            text += &format!("{}\n", played.last);
        }
        short_hash(&text)
    }
}

struct Heuristics;

impl GameTask for Heuristics {
    type Output = Vec<&'static str>;

    fn run<G: Playable>(self, _: G) -> Self::Output {
        G::heuristics().iter().map(|heuristic| heuristic.name).collect()
    }
}

/// An agent of this kind that plays short games, with each heuristic if it uses one.
fn agents(kind: &AgentKind, heuristics: &[&str]) -> Vec<AgentSpec> {
    let small: Vec<String> =
        SMALL.iter().filter(|(key, _)| kind.has(key)).map(|(key, value)| format!("{key}={value}")).collect();
    let text = |more: Option<String>| {
        let options: Vec<String> = small.iter().cloned().chain(more).collect();
        format!("{}:{}", kind.name, options.join(",")).parse().unwrap()
    };
    match kind.has("heuristic") {
        true => heuristics.iter().map(|name| text(Some(format!("heuristic={name}")))).collect(),
        false => vec![text(None)],
    }
}

/// All signatures, by the game and the agent, or by the stage of a seed.
fn signatures() -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for game in GAMES {
        let game = GameSpec::new(game.name, (game.name == "2048").then_some(GOAL)).unwrap();
        let heuristics = game.with(Heuristics);
        for agent in KINDS.iter().flat_map(|kind| agents(kind, &heuristics)) {
            let opponent = Some("greedy".parse().unwrap());
            found.insert(format!("{} {agent}", game.name()), game.with(Play { agent: &agent, opponent }));
        }
    }
    let seeds = [
        ("comparison", Seeds::<Comparison>::new(7).game(3).value()),
        ("training", Seeds::<Training>::new(7).game(3).value()),
        ("validation", Seeds::<Validation>::new(7).game(3).value()),
        ("test", Seeds::<Test>::new(7).game(3).value()),
    ];
    found.extend(seeds.map(|(stage, seed)| (format!("seed {stage}"), seed)));
    found
}

fn to_text(revision: u32, signatures: &BTreeMap<String, u64>) -> String {
    let lines = signatures.iter().map(|(name, signature)| format!("{signature:016x} {name}\n"));
    format!("engine {revision}\n{}", lines.collect::<String>())
}

fn read() -> (u32, BTreeMap<String, u64>) {
    let text = fs::read_to_string(path()).unwrap_or_default();
    let mut lines = text.lines();
    let revision = lines.next().and_then(|line| line.strip_prefix("engine ")?.parse().ok()).unwrap_or(0);
    let entry = |line: &str| {
        let (signature, name) = line.split_once(' ')?;
        Some((name.to_string(), u64::from_str_radix(signature, 16).ok()?))
    };
    (revision, lines.filter_map(entry).collect())
}

#[test]
fn results_change_only_with_the_engine_revision() {
    let (revision, expected) = read();
    let found = signatures();
    let changed: Vec<&String> =
        expected.iter().filter(|(name, signature)| found.get(*name) != Some(signature)).map(|(name, _)| name).collect();
    assert!(
        changed.is_empty() || revision != ENGINE_REVISION,
        "the results of {} agents have changed, but ENGINE_REVISION is still {revision}. If that is meant, raise it by one \
         in src/engine.rs and run `{HOW}`. Changed: {changed:#?}",
        changed.len()
    );
    if std::env::var_os("UPDATE_SIGNATURES").is_some() {
        fs::write(path(), to_text(ENGINE_REVISION, &found)).unwrap();
        return;
    }
    assert_eq!(revision, ENGINE_REVISION, "signatures.txt belongs to another revision; run `{HOW}`");
    let new: Vec<&String> = found.keys().filter(|name| !expected.contains_key(*name)).collect();
    assert!(new.is_empty(), "signatures.txt lacks {new:#?}; run `{HOW}`");
}
