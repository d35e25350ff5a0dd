//! The question of a run and its answer, in two sentences.

use super::format::{count, interval, percent};
use super::source::{RunFolder, RunKind};
use crate::report::table::{Row, Table};
use crate::stats::Interval;

/// The answer of a run. It holds for the games of this run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub question: String,
    /// At most two sentences.
    pub sentences: Vec<String>,
}

/// The question of a run, and the answer from its tables.
pub fn answer(run: &RunFolder) -> Answer {
    let sentences = match run.kind {
        RunKind::Comparison => comparison(run),
        RunKind::Tuning => scenarios(run).or_else(|| tuning(run)),
        RunKind::Contest => contest(run),
        RunKind::Transfer => transfer(run),
        RunKind::Front => front(run),
        RunKind::Learning => learning(run),
        RunKind::Other => None,
    };
    let unfinished = || vec!["The tables of this run do not answer it yet.".to_string()];
    Answer { question: question(run), sentences: sentences.unwrap_or_else(unfinished) }
}

/// The first sentence of the comment that the experiment file begins with, if it asks something.
fn question(run: &RunFolder) -> String {
    let comment: Vec<&str> = run.experiment.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect();
    let comment = comment.join(" ").replace('`', "");
    match (first_question(&comment), run.kind) {
        (Some(asked), _) => asked,
        (None, RunKind::Comparison) => "Which of these agents plays best, and by how much?".into(),
        (None, RunKind::Tuning) => "How much better does the heuristic become when its coefficients are tuned?".into(),
        (None, RunKind::Contest) => "Which optimizer finds the best coefficients?".into(),
        (None, RunKind::Transfer) => "Do coefficients tuned at one depth serve at another?".into(),
        (None, RunKind::Front) => "Which players are best for their cost?".into(),
        (None, RunKind::Learning) => "How well does the trained network play?".into(),
        (None, RunKind::Other) => "What came out of this run?".into(),
    }
}

/// The first sentence of a text that ends with a question mark. A full stop within a word, as in the name of a file,
/// ends no sentence.
fn first_question(text: &str) -> Option<String> {
    let mut sentence = Vec::new();
    for word in text.split_whitespace() {
        sentence.push(word);
        if word.ends_with('?') {
            return Some(sentence.join(" "));
        }
        if word.ends_with('.') {
            sentence.clear();
        }
    }
    None
}

/// Whether games stop at a goal. Scores are cut off there, so agents are then ranked by win rate.
pub fn stops_at_goal(run: &RunFolder) -> bool {
    let goal = run.setting("goal").map_or("2048".to_string(), |goal| goal.to_string().replace('"', ""));
    let has_goal = run.setting("game").is_none_or(|game| game.as_str() == Some("2048"));
    // A training has no goal: its games end when no move is left.
    let is_training = run.setting("network").is_some();
    has_goal && goal != "none" && !is_training
}

/// The rows of the summary from best to worst: by win rate if games stop at a goal, otherwise by mean score.
pub fn ranked(run: &RunFolder) -> Vec<Row<'_>> {
    let by_rate = stops_at_goal(run);
    let merit = |row: &Row| {
        let (rate, score) = (row.number("win_rate"), row.number("mean_score"));
        let (first, second) = if by_rate { (rate, score) } else { (score, rate) };
        (first.unwrap_or(f64::MIN), second.unwrap_or(f64::MIN))
    };
    let mut rows: Vec<Row> = run.table("summary.csv").into_iter().flat_map(Table::rows).collect();
    rows.sort_by(|a, b| {
        let ((a, a_then), (b, b_then)) = (merit(a), merit(b));
        b.total_cmp(&a).then(b_then.total_cmp(&a_then))
    });
    rows
}

fn comparison(run: &RunFolder) -> Option<Vec<String>> {
    let rows = ranked(run);
    let best = rows.first()?;
    let rate = best.interval("win_rate").map(percent).unwrap_or_default();
    let score = best.interval("mean_score").map(interval).unwrap_or_default();
    let what = match stops_at_goal(run) {
        true => format!("it won {rate} of {} games, mean score {score}", count(best, "games")),
        false => format!("its mean score over {} games is {score}", count(best, "games")),
    };
    let first = format!("The best of {} agents is {}: {what}.", rows.len(), best.text("agent"));
    let second = rows.get(1).and_then(|second| lead(run, best, second));
    Some([Some(first), second].into_iter().flatten().collect())
}

/// The comparison of two agents, in this order.
pub struct Pair<'a> {
    row: Row<'a>,
    forwards: bool,
}

impl<'a> Pair<'a> {
    pub fn find(comparisons: &'a Table, first: &str, second: &str) -> Option<Self> {
        let is = |row: &Row, a: &str, b: &str| row.text("first") == a && row.text("second") == b;
        let row = comparisons.rows().find(|row| is(row, first, second) || is(row, second, first))?;
        Some(Pair { row, forwards: row.text("first") == first })
    }

    pub fn games(&self) -> Option<f64> {
        self.row.number("games")
    }

    /// The difference of mean scores, first minus second; games that stop at a goal have none.
    pub fn score_difference(&self) -> Option<Interval> {
        self.difference("score_difference")
    }

    /// The difference of win rates, first less second.
    pub fn rate_difference(&self) -> Option<Interval> {
        self.difference("win_rate_difference")
    }

    fn difference(&self, column: &str) -> Option<Interval> {
        let difference = self.row.interval(column)?;
        let turned = || Interval { estimate: -difference.estimate, low: -difference.high, high: -difference.low };
        Some(if self.forwards { difference } else { turned() })
    }

    /// The difference in words, of scores or else of win rates.
    fn in_words(&self) -> Option<String> {
        let scores = self.score_difference().map(|difference| format!("{} points of mean score", interval(difference)));
        let rates = || self.rate_difference().map(|d| format!("{} of the games", percent(d)));
        scores.or_else(rates)
    }

    /// Whether the difference is more than chance explains: by the verdict of the run, or else by its corrected tests.
    pub fn is_settled(&self) -> bool {
        match self.row.text("verdict") {
            "" => {
                ["p_mann_whitney_holm", "p_mcnemar_holm"].iter().any(|p| self.row.number(p).is_some_and(|p| p < 0.05))
            }
            verdict => verdict.contains("better"),
        }
    }
}

/// The comparisons that the correction counts.
pub fn family_size(comparisons: &Table) -> usize {
    let planned = comparisons.rows().filter(|row| !row.text("family").is_empty()).count();
    if comparisons.has("family") { planned } else { comparisons.rows().len() }
}

fn lead(run: &RunFolder, best: &Row, second: &Row) -> Option<String> {
    let other = second.text("agent");
    let comparisons = run.table("comparisons.csv")?;
    let pair = Pair::find(comparisons, best.text("agent"), other)?;
    let proof = if pair.is_settled() { "more than chance explains" } else { "which chance alone may explain" };
    Some(format!(
        "It is ahead of the second, {other}, by {}, {proof} (corrected for {} comparisons).",
        pair.in_words()?,
        family_size(comparisons)
    ))
}

fn tuning(run: &RunFolder) -> Option<Vec<String>> {
    let summary = run.table("summary.csv")?;
    let (start, tuned) = (summary.find("agent", "start")?, summary.find("agent", "tuned")?);
    let (before, after) = (start.interval("mean_score")?, tuned.interval("mean_score")?);
    let first = format!(
        "On {} test games that the search never saw, the mean score is {} after tuning, where it was {} before.",
        count(&tuned, "games"),
        interval(after),
        interval(before)
    );
    let pair = run.table("comparisons.csv").and_then(|table| Pair::find(table, "tuned", "start"));
    let second = pair.and_then(|pair| pair.score_difference()).map(|gain| {
        let proof = if gain.low > 0.0 { "so that 0 is excluded" } else { "so that no gain is shown" };
        format!("The gain is {}, {proof}.", interval(gain))
    });
    Some([Some(first), second].into_iter().flatten().collect())
}

/// For a tuning over several scenarios: where the tuned player leads, and where it does not.
fn scenarios(run: &RunFolder) -> Option<Vec<String>> {
    let table = run.table("scenarios.csv")?;
    let starts: Vec<Row> = table.rows().filter(|row| row.text("player") == "start").collect();
    let leads = |row: &&Row| row.interval("tuned_ahead").is_some_and(|ahead| ahead.low > 0.0);
    let ahead = starts.iter().filter(leads).count();
    let first = format!(
        "The tuned player is ahead of the start in {ahead} of {} scenarios, judged by 95 % intervals that are not corrected \
         for their number, on {} test games each.",
        starts.len(),
        count(starts.first()?, "games")
    );
    let words = |row: &Row| Some(format!("{} {}", row.text("scenario"), interval(row.interval("tuned_ahead")?)));
    let leads: Vec<String> = starts.iter().filter_map(words).collect();
    Some(vec![first, format!("Its lead in mean score: {}.", leads.join("; "))])
}

fn front(run: &RunFolder) -> Option<Vec<String>> {
    let table = run.table("front.csv")?;
    let points: Vec<Row> = table.rows().filter(|row| row.text("player") != "start").collect();
    let words =
        |row: &Row| Some(format!("{} at {}", interval(row.interval("first")?), interval(row.interval("second")?)));
    let by_cost = |a: &&Row, b: &&Row| {
        let of = |row: &Row| [row.number("second"), row.number("first")].map(|value| value.unwrap_or(f64::NAN));
        let ([a, x], [b, y]) = (of(a), of(b));
        a.total_cmp(&b).then(x.total_cmp(&y))
    };
    let (low, high) = points.iter().min_by(by_cost).zip(points.iter().max_by(by_cost)).filter(|_| points.len() > 1)?;
    let (first, second) = (low.text("first_objective"), low.text("second_objective"));
    Some(vec![
        format!("{} points of the front were tested on {} games each.", points.len(), count(low, "games")),
        format!("{first} and {second} reach from {} to {}.", words(low)?, words(high)?),
    ])
}

fn contest(run: &RunFolder) -> Option<Vec<String>> {
    let ranking = run.table("ranking.csv")?;
    let mut rows = ranking.rows();
    let (first, second) = (rows.next()?, rows.next());
    let words = |row: &Row| Some(format!("{}, {}", row.text("optimizer"), interval(row.interval("objective")?)));
    let mut sentences =
        vec![format!("The best mean over {} repeats is that of {}.", first.text("repeats"), words(&first)?)];
    if let (Some(second), Some(best)) = (second, first.interval("objective")) {
        let apart = second.interval("objective").is_some_and(|other| other.high < best.low);
        let proof = if apart {
            "their intervals do not overlap"
        } else {
            "their intervals overlap, so the order may be chance"
        };
        sentences.push(format!("The second is {}; {proof}.", words(&second)?));
    }
    Some(sentences)
}

fn learning(run: &RunFolder) -> Option<Vec<String>> {
    let tested = run.table("summary.csv")?.rows().next()?;
    let first = format!(
        "On {} test games that training never used, the mean score of the {} is {}.",
        count(&tested, "games"),
        tested.text("agent"),
        interval(tested.interval("mean_score")?)
    );
    let reached = tested.interval("win_rate").map(|rate| format!("It won {} of them.", percent(rate)));
    Some([Some(first), reached].into_iter().flatten().collect())
}

fn transfer(run: &RunFolder) -> Option<Vec<String>> {
    let table = run.table("transfer.csv")?;
    let mut tested: Vec<&str> = table.rows().map(|row| row.text("tested_at")).collect();
    tested.dedup();
    tested.sort_unstable();
    tested.dedup();
    let best_at = |depth: &str| {
        let rows = table.rows().filter(|row| row.text("tested_at") == depth);
        let value = |row: &Row| row.number("objective").unwrap_or(f64::MIN);
        rows.max_by(|a, b| value(a).total_cmp(&value(b))).map(|row| row.text("tuned_at").to_string())
    };
    let words = |depth: &&str| Some(format!("at depth {depth} those tuned at {}", best_at(depth)?));
    let best: Vec<String> = tested.iter().filter_map(words).collect();
    let tuned_here = |depth: &&&str| table.rows().any(|row| row.text("tuned_at") == **depth);
    let known: Vec<&str> = tested.iter().filter(tuned_here).copied().collect();
    let own: Vec<&str> = known.iter().filter(|depth| best_at(depth).as_deref() == Some(**depth)).copied().collect();
    let proven = own.iter().filter(|depth| stands_apart(table, depth)).count();
    Some(vec![
        format!("The best weights are {}.", best.join(", ")),
        format!(
            "Weights tuned at a depth are the best ones at that depth in {} of {} cases; in {proven} of them their interval \
             does not overlap with any other.",
            own.len(),
            known.len()
        ),
    ])
}

/// Whether the interval of the weights tuned at a depth is above the intervals of all others tested there.
fn stands_apart(table: &Table, depth: &str) -> bool {
    let (own, others): (Vec<Row>, Vec<Row>) =
        table.rows().filter(|row| row.text("tested_at") == depth).partition(|row| row.text("tuned_at") == depth);
    let low = own.first().and_then(|row| row.interval("objective")).map(|objective| objective.low);
    let is_below = |row: &Row| row.interval("objective").zip(low).is_some_and(|(other, low)| other.high < low);
    others.iter().all(is_below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of this kind with these files.
    fn run(schema: &str, files: &[(&str, &str)]) -> RunFolder {
        let folder = tempfile::tempdir().unwrap();
        let manifest = format!("{{\"schema\": \"lab2048/{schema}/1\", \"name\": \"x\", \"seed\": 1}}");
        for (name, text) in [("manifest.json", manifest.as_str())].iter().chain(files) {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        RunFolder::read(folder.path()).unwrap()
    }

    const SUMMARY: &str = "agent,games,win_rate,win_rate_low,win_rate_high,mean_score,mean_score_low,mean_score_high\n\
        a,100,0.5,0.4,0.6,900,800,1000\nb,100,0.4,0.3,0.5,1900,1800,2000\n";
    const COMPARISONS: &str = "first,second,games,win_rate_difference,win_rate_difference_low,win_rate_difference_high,\
        score_difference,score_difference_low,score_difference_high,p_mann_whitney_holm,family,verdict\n\
        a,b,100,0.1,-0.1,0.3,-1000,-1200,-800,0.0001,all pairs,second is better\n";

    #[test]
    fn agents_are_ranked_by_score_unless_games_stop_at_a_goal() {
        let tables = [("summary.csv", SUMMARY), ("comparisons.csv", COMPARISONS)];
        let free = run("compare", &[&tables[..], &[("experiment.toml", "goal = \"none\"\n")]].concat());
        let sentences = answer(&free).sentences;
        assert_eq!(sentences[0], "The best of 2 agents is b: its mean score over 100 games is 1,900 (1,800 to 2,000).");
        assert!(sentences[1].contains("ahead of the second, a, by 1,000 (800 to 1,200) points"), "{}", sentences[1]);
        assert!(sentences[1].contains("more than chance explains"));
        let stopped = run("compare", &[&tables[..], &[("experiment.toml", "goal = 2048\n")]].concat());
        assert!(answer(&stopped).sentences[0].starts_with("The best of 2 agents is a: it won 50.0 % (40.0 to 60.0)"));
    }

    #[test]
    fn the_question_is_the_first_one_of_the_leading_comment() {
        let text = "# A note. Does `it` work in a.toml?\n# Is it fast? Yes.\nname = \"x\"\n# Why?\n";
        assert_eq!(answer(&run("compare", &[("experiment.toml", text)])).question, "Does it work in a.toml?");
        assert!(answer(&run("tune", &[])).question.starts_with("How much better"));
    }

    #[test]
    fn a_transfer_says_where_its_own_weights_are_best_and_whether_that_is_proven() {
        let table = "tuned_at,tested_at,games,objective,objective_low,objective_high\n\
            start,1,9,10,9,11\n1,1,9,20,18,22\n2,1,9,15,14,16\nstart,2,9,10,9,11\n1,2,9,20,15,25\n2,2,9,22,17,27\n";
        let sentences = answer(&run("tune", &[("transfer.csv", table)])).sentences;
        assert_eq!(sentences[0], "The best weights are at depth 1 those tuned at 1, at depth 2 those tuned at 2.");
        assert!(sentences[1].contains("in 2 of 2 cases; in 1 of them"), "{}", sentences[1]);
    }

    #[test]
    fn a_gain_is_shown_only_by_its_interval() {
        let summary = SUMMARY.replace("\na,", "\nstart,").replace("\nb,", "\ntuned,");
        for (low, proof) in [("-1200", "0 is excluded"), ("-2100,100", "no gain is shown")] {
            let ends = if low.contains(',') { low.to_string() } else { format!("{low},-800") };
            let comparisons = format!(
                "first,second,games,score_difference,score_difference_low,score_difference_high\nstart,tuned,100,-1000,{ends}\n"
            );
            let tuned = run("tune", &[("summary.csv", &summary), ("comparisons.csv", &comparisons)]);
            let sentences = answer(&tuned).sentences;
            assert!(sentences[0].contains("1,900 (1,800 to 2,000) after tuning, where it was 900"), "{}", sentences[0]);
            assert!(sentences[1].contains(proof), "{}", sentences[1]);
        }
    }

    #[test]
    fn a_run_without_tables_has_no_answer_yet() {
        assert_eq!(answer(&run("compare", &[])).sentences, ["The tables of this run do not answer it yet."]);
    }
}
