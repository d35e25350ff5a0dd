use super::*;
use crate::store::Origin;

static RUNNING: AtomicBool = AtomicBool::new(false);

fn header() -> Header {
    Header::new("configuration", 2)
}

fn open(folder: &Path) -> GameStore {
    GameStore::open(folder, header(), true, &RUNNING).unwrap()
}

fn game(seed: u64) -> GameResult {
    GameResult { seed, score: 4 * seed as i64, max_tile: 64, moves: 30, won: false, nodes: 5, work: 7, seconds: 0.1 }
}

fn games(seeds: std::ops::Range<u64>) -> Vec<GameResult> {
    seeds.map(game).collect()
}

fn seeds(range: std::ops::Range<u64>) -> Vec<u64> {
    range.collect()
}

/// Writes a store with two blocks of each of two players. Returns its only segment.
fn filled(folder: &Path) -> PathBuf {
    let mut store = open(folder);
    for player in [3, u64::MAX] {
        store.append(player, &games(0..10)).unwrap();
        store.append(player, &games(10..15)).unwrap();
    }
    store.repair_and_close().unwrap();
    segment_files(folder).unwrap().remove(0)
}

#[test]
fn blocks_read_back_and_a_shorter_run_can_use_them() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let mut store = open(folder.path());
    assert_eq!(store.read(3, &seeds(0..10)).unwrap().unwrap(), games(0..10));
    assert_eq!(store.read(u64::MAX, &seeds(10..13)).unwrap().unwrap(), games(10..13));
    assert_eq!(store.read(3, &seeds(10..16)).unwrap(), None);
    assert_eq!(store.read(4, &seeds(0..10)).unwrap(), None);
    let stretches = store.stretches();
    assert_eq!((stretches.len(), stretches[0].games, stretches[0].finished.is_some()), (1, 30, true));
    assert!(store.damage().is_empty());
}

#[test]
fn an_incomplete_last_line_is_dropped_wherever_it_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let mut store = open(folder.path());
        let lines = whole[..cut].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(store.index.len(), lines.saturating_sub(1).min(4), "cut at {cut}");
        assert!(store.damage().is_empty(), "cut at {cut}");
        assert_eq!(store.read(3, &seeds(0..10)).unwrap().is_some(), lines >= 2);
    }
}

#[test]
fn a_flipped_bit_costs_one_block_and_is_reported_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    let whole = fs::read(&path).unwrap();
    let second = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for offset in [second, second + 20, second + 60] {
        let mut damaged = whole.clone();
        damaged[offset] ^= 4;
        fs::write(&path, damaged).unwrap();
        let mut store = open(folder.path());
        assert_eq!((store.damage().len(), store.damage()[0].line), (1, 2));
        assert!(store.damage()[0].to_string().contains("line 2 is damaged"));
        assert_eq!(store.read(3, &seeds(0..10)).unwrap(), None);
        assert!(store.read(3, &seeds(10..15)).unwrap().is_some());
        store.repair_and_close().unwrap();
        assert!(store.read(3, &seeds(10..15)).unwrap().is_some(), "open files keep their content");
        let mut repaired = open(folder.path());
        assert!(repaired.damage().is_empty() && repaired.read(3, &seeds(10..15)).unwrap().is_some());
    }
}

#[test]
fn values_that_break_the_rules_are_damage_even_with_a_good_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    for (index, wrong) in [
        GameResult { max_tile: 131, ..game(1) },
        GameResult { max_tile: 262_144, ..game(2) },
        GameResult { score: 1 << 40, ..game(3) },
        GameResult { score: -4, ..game(4) },
        GameResult { max_tile: 0, ..game(5) },
        GameResult { seconds: -1.0, ..game(6) },
    ]
    .into_iter()
    .enumerate()
    {
        store.append(index as u64, &[wrong]).unwrap();
    }
    store.repair_and_close().unwrap();
    let mut store = open(folder.path());
    assert_eq!(store.damage().len(), 6);
    assert_eq!(store.read(0, &[1]).unwrap(), None);
}

#[test]
fn games_with_other_seeds_are_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    store.append(1, &[game(0), game(9)]).unwrap();
    assert_eq!(store.read(1, &[0, 1]).unwrap(), None);
    assert!(store.damage()[0].why.contains("expected seeds"));
}

#[test]
fn segments_of_another_experiment_engine_or_arithmetic_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    for (wanted, part) in [
        (Header { configuration: "other".into(), ..header() }, "another experiment"),
        (Header { origin: Origin { engine: 999, ..header().origin }, ..header() }, "revision 999"),
        (Header { arithmetic: "0".into(), ..header() }, "round differently"),
    ] {
        let error = GameStore::open(folder.path(), wanted, true, &RUNNING).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains(".segment") && error.contains("--out"), "{error}");
    }
}

#[test]
fn copies_of_a_block_must_agree_except_in_time() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let mut store = open(folder.path());
    store.append(3, &[GameResult { seconds: 9.0, ..game(0) }]).unwrap();
    store.repair_and_close().unwrap();
    assert_eq!(open(folder.path()).read(3, &seeds(0..10)).unwrap().unwrap().len(), 10);
    let mut store = open(folder.path());
    store.append(3, &[GameResult { moves: 31, ..game(0) }]).unwrap();
    store.repair_and_close().unwrap();
    let error = GameStore::open(folder.path(), header(), true, &RUNNING).unwrap_err().to_string();
    assert!(error.contains("different results"), "{error}");
    assert!(GameStore::open(folder.path(), header(), false, &RUNNING).is_ok());
}

#[test]
fn more_segments_than_may_be_open_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let (players, header) = (KEPT_OPEN as u64 + 5, header());
    for player in 0..players {
        let mut store = GameStore::open(&folder.path().join("own"), header.clone(), true, &RUNNING).unwrap();
        store.append(player, &games(0..2)).unwrap();
        store.close().unwrap();
        let written = segment_files(&folder.path().join("own")).unwrap().remove(0);
        fs::rename(&written, folder.path().join(format!("{player:04}.{EXTENSION}"))).unwrap();
    }
    let mut store = open(folder.path());
    assert!(store.files.iter().filter(|file| file.open.is_some()).count() <= KEPT_OPEN);
    assert!((0..players).all(|player| store.read(player, &seeds(0..2)).unwrap() == Some(games(0..2))));
}

#[test]
fn closing_does_not_change_the_segments_of_other_processes() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&path, &bytes).unwrap();
    let mut store = open(folder.path());
    assert_eq!(store.damage().len(), 1);
    store.close().unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn many_processes_can_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut stores: Vec<GameStore> = (0..4).map(|_| open(folder.path())).collect();
    for (player, store) in stores.iter_mut().enumerate() {
        store.append(player as u64, &games(0..5)).unwrap();
    }
    assert_eq!(segment_files(folder.path()).unwrap().len(), 4);
    let mut merged = open(folder.path());
    assert!((0..4).all(|player| merged.read(player, &seeds(0..5)).unwrap().is_some()));
}
