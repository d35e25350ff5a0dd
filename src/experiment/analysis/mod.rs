//! The statistics of games: how agents are judged, and which pairs of agents are compared. Comparisons, tuning runs and
//! trainings make `summary.csv` and `comparisons.csv` with it.

pub(in crate::experiment) mod pairs;
pub(in crate::experiment) mod sample;
pub(in crate::experiment) mod summary;

use sample::AgentGames;

use crate::spec::{Comparison, Contrast, Criterion};
use crate::stats::best::{bound_level, may_be_best};
use crate::stats::means::{correlation, paired_difference_at};
use crate::stats::ranks::mann_whitney;
use crate::stats::{Interval, Level, PairedOutcomes};

/// How agents are judged, and which of them are compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::experiment) struct Analysis {
    pub criterion: Criterion,
    /// Whether games were stopped at a goal, so that their scores are cut off there.
    pub until_goal: bool,
    /// Planned comparisons; empty if none were declared.
    pub contrasts: Vec<Contrast>,
    /// The smallest difference that matters.
    pub margin: Option<f64>,
    /// The pair of a sequential test. Its results decided when to stop, so only the test itself may judge it.
    pub sequential: Option<Contrast>,
    /// The budget of work of each agent, in the order of the games; empty if no agent has one.
    pub work_budgets: Vec<Option<u64>>,
}

impl Analysis {
    /// Scores are cut off only if a game was stopped. Where no game reaches the goal, all of them are whole games and
    /// are judged by score.
    pub fn of(comparison: &Comparison, games: &[AgentGames]) -> Self {
        let asked = Criterion::of(&comparison.game);
        let until_goal = asked == Criterion::WinRate && games.iter().any(|games| games.wins() > 0);
        let criterion = if until_goal { Criterion::WinRate } else { Criterion::Score };
        Analysis {
            criterion,
            until_goal,
            contrasts: comparison.questions.contrasts.clone(),
            // A margin of win rate says nothing about scores.
            margin: comparison.questions.margin.filter(|_| asked == criterion),
            sequential: comparison.questions.stop.map(|rule| rule.contrast),
            work_budgets: work_budgets(comparison),
        }
    }

    /// What an agent spends of its budget of work on average, as a share of the budget. `None` without a budget.
    pub fn work_over_budget(&self, place: usize, games: &AgentGames) -> Option<Interval> {
        let budget = (*self.work_budgets.get(place)?)? as f64;
        let estimate = games.work_per_move.estimate()?;
        let spent = games.work_per_move.interval().unwrap_or(Interval { estimate, low: f64::NAN, high: f64::NAN });
        Some(Interval { estimate: estimate / budget, low: spent.low / budget, high: spent.high / budget })
    }

    /// Whether this is the pair of the sequential test, in either order.
    pub fn is_sequential(&self, (i, j): Contrast) -> bool {
        self.sequential.is_some_and(|pair| pair == (i, j) || pair == (j, i))
    }

    /// Agents from best to worst: by the criterion, then by mean score, then in the order of the experiment.
    pub fn ranking(&self, games: &[AgentGames]) -> Vec<usize> {
        let merit = |games: &AgentGames| {
            let n = games.games().max(1) as f64;
            let (rate, score) = (games.wins() as f64 / n, games.scores.iter().sum::<f64>() / n);
            if self.criterion == Criterion::WinRate { (rate, score) } else { (score, rate) }
        };
        let merits: Vec<(f64, f64)> = games.iter().map(merit).collect();
        let mut order: Vec<usize> = (0..games.len()).collect();
        order.sort_by(|&a, &b| merits[b].0.total_cmp(&merits[a].0).then(merits[b].1.total_cmp(&merits[a].1)));
        order
    }

    /// Whether each agent may be the best. Agents that played the same games count once, and agents whose games are one
    /// repeated game have no interval to be judged by.
    pub fn may_be_best(&self, games: &[AgentGames]) -> Vec<bool> {
        let same_games_as = same_games_as(games);
        let distinct: Vec<usize> = (0..games.len()).filter(|&place| same_games_as[place].is_none()).collect();
        let level = bound_level(distinct.len());
        let lead = |i: usize, j: usize| {
            let (first, second) = (&games[distinct[i]], &games[distinct[j]]);
            difference_at(self.criterion, first, second, level).map(|interval| interval.low)
        };
        let best = may_be_best(distinct.len(), lead);
        let of = |place: usize| distinct.iter().position(|&other| other == same_games_as[place].unwrap_or(place));
        (0..games.len()).map(|place| of(place).is_none_or(|index| best[index])).collect()
    }
}

/// For each agent the first earlier agent that played exactly the same games.
pub(in crate::experiment) fn same_games_as(games: &[AgentGames]) -> Vec<Option<usize>> {
    let first_equal = |place: usize| (0..place).find(|&earlier| games[earlier].plays_as(&games[place]));
    (0..games.len()).map(first_equal).collect()
}

/// The difference between two agents by the criterion, first minus second. `None` if all games of an agent are the same
/// game: nothing in it is random, so it has no interval.
pub(in crate::experiment) fn difference_at(
    criterion: Criterion,
    first: &AgentGames,
    second: &AgentGames,
    level: Level,
) -> Option<Interval> {
    if first.is_one_game() || second.is_one_game() {
        return None;
    }
    interval_of_difference(criterion, first, second, level)
}

/// As [`difference_at`], without the check for repeated games.
pub(in crate::experiment) fn interval_of_difference(
    criterion: Criterion,
    first: &AgentGames,
    second: &AgentGames,
    level: Level,
) -> Option<Interval> {
    match criterion {
        Criterion::WinRate => outcomes(first, second).difference_at(level),
        Criterion::Score => paired_difference_at(&first.scores, &second.scores, level).map(|found| found.interval),
    }
}

/// The p-value of "no difference" for the criterion: McNemar's or Mann and Whitney's.
pub(in crate::experiment) fn p_value(criterion: Criterion, first: &AgentGames, second: &AgentGames) -> f64 {
    if first.is_one_game() || second.is_one_game() {
        return f64::NAN;
    }
    match criterion {
        Criterion::WinRate => outcomes(first, second).mcnemar(),
        Criterion::Score => mann_whitney(&first.scores, &second.scores).map_or(1.0, |test| test.p_value),
    }
}

pub(in crate::experiment) fn outcomes(first: &AgentGames, second: &AgentGames) -> PairedOutcomes {
    first.won.iter().copied().zip(second.won.iter().copied()).collect()
}

/// The correlation of two agents by the criterion, over games with the same seed.
pub(in crate::experiment) fn seed_correlation(
    criterion: Criterion,
    first: &AgentGames,
    second: &AgentGames,
) -> Option<f64> {
    let won = |games: &AgentGames| games.won.iter().map(|won| f64::from(u8::from(*won))).collect::<Vec<_>>();
    match criterion {
        Criterion::WinRate => correlation(&won(first), &won(second)),
        Criterion::Score => correlation(&first.scores, &second.scores),
    }
}

fn work_budgets(comparison: &Comparison) -> Vec<Option<u64>> {
    let budgets: Vec<Option<u64>> = comparison.entrants.iter().map(|entrant| entrant.agent.work_budget()).collect();
    if budgets.iter().any(Option::is_some) { budgets } else { Vec::new() }
}

#[cfg(test)]
pub(in crate::experiment) mod tests {
    use super::*;
    use crate::play::GameResult;
    use crate::spec::{GameSpec, Overrides};

    /// 100 games with scores from `score` to `score + 9`, about `wins` of them won.
    pub fn played(agent: &str, wins: u64, score: i64) -> AgentGames {
        let mut games = AgentGames { agent: agent.into(), ..AgentGames::default() };
        for game in 0..100 {
            let score = score + (game as i64 * 7) % 10;
            // Wins are spread over the games so that two agents do not win the same ones.
            let won = (game * 37 + score as u64) % 100 < wins;
            let moves = 50 + game as u32 % 7;
            let nodes = 5 * game;
            // Work differs between games, so that the work per move has an interval.
            let work = 3 * nodes;
            games.add(&GameResult { seed: game, score, max_tile: 8, moves, won, nodes, work, seconds: 0.0 });
        }
        games
    }

    fn comparison(goal: &str) -> Comparison {
        let agents = ["random", "greedy"].map(|text| text.parse().unwrap());
        let game = GameSpec::new("2048", Some(goal)).unwrap();
        Comparison::of_agents(game, &agents, None, Overrides::default()).unwrap()
    }

    #[test]
    fn the_goal_decides_what_agents_are_judged_by() {
        let games = [played("a", 10, 20), played("b", 80, 10)];
        let to_goal = Analysis::of(&comparison("2048"), &games);
        assert_eq!((to_goal.criterion, to_goal.until_goal), (Criterion::WinRate, true));
        assert_eq!(to_goal.ranking(&games), [1, 0]);
        let without = Analysis::of(&comparison("none"), &games);
        assert_eq!((without.criterion, without.until_goal), (Criterion::Score, false));
        assert_eq!(without.ranking(&games), [0, 1]);
    }

    #[test]
    fn scores_are_whole_where_nobody_reaches_the_goal() {
        let games = [played("a", 0, 20), played("b", 0, 10)];
        let analysis = Analysis::of(&comparison("2048"), &games);
        assert_eq!((analysis.criterion, analysis.until_goal), (Criterion::Score, false));
    }

    #[test]
    fn the_best_is_first_and_ties_keep_their_order() {
        let games = [played("a", 10, 20), played("b", 80, 10), played("c", 10, 30), played("d", 10, 20)];
        let analysis = Analysis { criterion: Criterion::WinRate, ..Analysis::default() };
        assert_eq!(analysis.ranking(&games), [1, 2, 0, 3]);
    }

    #[test]
    fn agents_that_play_the_same_games_count_once() {
        let games = [played("a", 10, 20), played("b", 80, 10), played("b again", 80, 10)];
        assert_eq!(same_games_as(&games), [None, None, Some(1)]);
        let analysis = Analysis { criterion: Criterion::WinRate, ..Analysis::default() };
        assert_eq!(analysis.may_be_best(&games), [false, true, true]);
    }

    #[test]
    fn close_agents_may_all_be_the_best() {
        let games = [played("a", 50, 20), played("b", 52, 21), played("c", 5, 22)];
        let analysis = Analysis { criterion: Criterion::WinRate, ..Analysis::default() };
        assert_eq!(analysis.may_be_best(&games), [true, true, false]);
    }
}
