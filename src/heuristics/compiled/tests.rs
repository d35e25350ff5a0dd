use super::*;
use crate::games::Game;
use crate::games::twenty48::tests::random_board;
use crate::games::twenty48::{Board, Goal, Twenty48};
use crate::heuristics::heuristic::Term;
use crate::heuristics::{
    Best, Evaluator, EvaluatorTask, Horizon, LastMoves, PRESETS, Playable, ReplyValues, best_of_steps, mean_reply,
    preset, worst_reply,
};
use crate::rng::{Rng, seeded};
use rand::Rng as _;

const GAME_SEED: u64 = 31;

/// Boards with scores: from random games, random boards, and nearly full boards.
fn boards() -> Vec<(Board, u32)> {
    let (game, mut rng) = (Twenty48::new(Goal::None), seeded(GAME_SEED));
    let mut boards = Vec::new();
    for _ in 0..10 {
        let (mut board, mut score) = (game.start(&mut rng), 0);
        while let Some(step) = random_step(&game, board, &mut rng) {
            score += step.reward;
            boards.extend([(step.after, score), (board, score)]);
            board = game.sample(step.after, &mut rng);
        }
    }
    boards.extend((0..2_000).map(|_| (random_board(&mut rng), rng.random_range(0..50_000))));
    boards.extend((0..500).map(|_| (nearly_full(&mut rng), rng.random_range(0..5_000))));
    boards
}

fn random_step(
    game: &Twenty48,
    board: Board,
    rng: &mut Rng,
) -> Option<crate::games::Step<Board, crate::games::twenty48::Direction>> {
    let steps: Vec<_> = game.steps(board).collect();
    (!steps.is_empty()).then(|| steps[rng.random_range(0..steps.len())])
}

/// A board with one or two empty cells, so that a reply can end the game.
fn nearly_full(rng: &mut Rng) -> Board {
    let mut ranks: [u8; 16] = std::array::from_fn(|_| rng.random_range(1..=9));
    for _ in 0..rng.random_range(1..=2) {
        ranks[rng.random_range(0..16)] = 0;
    }
    Board::from_ranks(ranks)
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// Compares an evaluator with the heuristic from which it was compiled.
struct Check<'a>(&'a Heuristic);

impl EvaluatorTask<Twenty48> for Check<'_> {
    type Output = ();

    fn run<E: Evaluator<Twenty48>>(self, evaluator: E) {
        let (game, name) = (Twenty48::new(Goal::None), self.0.name());
        for (board, score) in boards() {
            let (value, direct) = (evaluator.value(board, score), self.0.value(board, score));
            assert!(close(value, direct), "{name} {board} {score}: {value} {direct}");
            if board.empty_count() == 0 {
                continue;
            }
            let (mean, looped) = (evaluator.expected(&game, board, score), mean_reply(&evaluator, &game, board, score));
            assert!(close(mean, looped), "{name} {board} {score}: mean {mean} {looped}");
            let (worst, looped) = (evaluator.worst(&game, board, score), worst_reply(&evaluator, &game, board, score));
            assert_eq!(worst, looped, "{name} {board} {score}");
        }
        for goal in [Goal::None, Goal::Rank(5)] {
            boards().into_iter().for_each(|(board, score)| check_best(&evaluator, goal, board, score));
        }
    }
}

/// Compares the last moves of a search found together with those found one by one.
fn check_best<E: Evaluator<Twenty48>>(evaluator: &E, goal: Goal, board: Board, score: u32) {
    if goal.is_reached(board) {
        return;
    }
    let game = Twenty48::new(goal);
    let step = |after, score| evaluator.value(after, score).max(Twenty48::FLOOR);
    let expected = |after, score| evaluator.expected(&game, after, score);
    let worst = |after, score| evaluator.worst(&game, after, score);
    let best = evaluator.best_step(&game, board, score);
    assert_eq!(best.steps as usize, game.steps(board).count(), "{board}");
    assert!(close(best.value, best_of_steps(&game, board, score, step).value), "{board} {score}: {best:?}");
    let mut found = ReplyValues::default();
    let last = |horizon| LastMoves { game: &game, after: board, score, horizon };
    evaluator.best_after_replies(last(Horizon::Step), &mut found);
    // Alpha-beta values single positions, and must find the same values as minimax.
    compare(last(Horizon::Step), &found, |position| evaluator.best_step(&game, position, score), |a, b| a == b);
    evaluator.best_after_replies(last(Horizon::Mean), &mut found);
    compare(last(Horizon::Mean), &found, |at| last(Horizon::Mean).best_move(at, expected), close);
    evaluator.best_after_replies(last(Horizon::Worst), &mut found);
    compare(last(Horizon::Worst), &found, |at| last(Horizon::Worst).best_move(at, worst), |a, b| a == b);
}

/// Compares the last moves found together with those found one by one.
fn compare(
    last: LastMoves<Twenty48>,
    found: &ReplyValues,
    best: impl Fn(Board) -> Best,
    is_same: impl Fn(f64, f64) -> bool,
) {
    let one_by_one: Vec<Best> = last.game.replies(last.after).map(|reply| best(reply.position)).collect();
    let values: Vec<f64> = one_by_one.iter().map(|best| best.value).collect();
    let all_same = found.best().len() == values.len() && found.best().iter().zip(&values).all(|(a, b)| is_same(*a, *b));
    assert!(all_same, "{last:?}: {found:?} {values:?}");
    assert_eq!(found.steps, one_by_one.iter().map(|best| u64::from(best.steps)).sum::<u64>(), "{last:?}");
    assert_eq!(found.leaves, one_by_one.iter().map(|best| u64::from(best.leaves)).sum::<u64>(), "{last:?}");
}

fn check(heuristic: &Heuristic) {
    match heuristic.compile() {
        Compiled::Lines(evaluator) => Check(heuristic).run(evaluator),
        Compiled::Mixed(evaluator) => Check(heuristic).run(evaluator),
    }
}

#[test]
fn every_preset_compiles_to_its_own_values() {
    for declared in PRESETS {
        check(&preset(declared.name).unwrap());
    }
}

#[test]
fn every_feature_compiles_to_its_own_values() {
    let variants = [
        "mask:mask=geometric,ratio=0.7,tile=power,power=0.5",
        "mask:mask=snake,symmetric=true",
        "empty-mask:mask=inverse-snake",
        "smoothness:tile=log2,power=2",
        "empty:times=log2-max,count=lines",
    ];
    let defaults = crate::heuristics::features::FEATURES.iter().map(|feature| feature.name);
    for text in defaults.chain(variants) {
        for coefficient in [1.0, -3.0] {
            let terms = vec![Term::parse(coefficient, text).unwrap(), Term::parse(100.0, "alive").unwrap()];
            let terms = if text == "alive" { terms[..1].to_vec() } else { terms };
            check(&Heuristic::new(text, "", terms).unwrap());
        }
    }
}

/// The values are near 0, so that some replies fall below the floor and others do not.
#[test]
fn the_floor_is_kept_where_it_matters() {
    for alive in [0.0, 30.0, 300.0] {
        let terms = [(-1.0, "smoothness"), (1.0, "sum"), (5.0, "empty"), (alive, "alive")];
        let terms = terms.map(|(coefficient, text)| Term::parse(coefficient, text).unwrap());
        check(&Heuristic::new("near 0", "", terms.to_vec()).unwrap());
    }
}

#[test]
fn sums_over_lines_become_tables() {
    let is_lines = |name: &str| matches!(preset(name).unwrap().compile(), Compiled::Lines(_));
    for name in ["line-sum", "snake", "smooth-only", "position-only", "marks"] {
        assert!(is_lines(name), "{name}");
    }
    assert!(!is_lines("malaga-1"));
}

struct Value(&'static str);

impl EvaluatorTask<Twenty48> for Value {
    type Output = f64;

    fn run<E: Evaluator<Twenty48>>(self, evaluator: E) -> f64 {
        evaluator.value(self.0.parse().unwrap(), 8)
    }
}

#[test]
fn the_game_finds_its_heuristics_by_name() {
    let game = Twenty48::new(Goal::CLASSIC);
    let value = |name: &str| game.with_evaluator(&name.into(), Value(crate::heuristics::features::EXAMPLE_BOARD));
    assert_eq!(value("malaga-4"), Ok(106.0));
    assert!(value("malaga-5").unwrap_err().message.contains("did you mean"));
    assert!(value(Twenty48::DEFAULT_HEURISTIC).is_ok());
}
