//! An axis: its scale, its label and its ticks.

use super::canvas::fitted_all;
use super::scale::Scale;
use super::style::TICK;
use super::ticks::Ticks;
use crate::report::scene::{markup, text_width};

/// How an axis is marked.
#[derive(Clone, Debug, PartialEq)]
enum Marking {
    /// Round numbers.
    Round,
    /// Exactly the values that occur, when these are few.
    Values(Vec<f64>),
    /// Names at 0, 1, 2, ... without tick marks.
    Names(Vec<String>),
    /// Whole numbers only.
    Whole,
    /// Nothing, because the data have their own numbers.
    Nothing,
}

/// An axis before it is laid out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub label: String,
    pub scale: Scale,
    marking: Marking,
}

/// An axis whose ticks are known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticked {
    pub label: String,
    pub scale: Scale,
    pub ticks: Ticks,
    /// Names have no tick marks.
    pub marked: bool,
    /// Names too wide for their places are turned.
    pub turned: bool,
}

/// Room that a y label needs, from one tick to the next, in text heights.
const LEADING: f64 = 2.7;
/// Names beside an axis take at most this share of the width.
const NAME_SHARE: f64 = 0.42;
/// The most lines of a name, and the least distance between neighbouring names, in points.
const MOST_LINES: usize = 3;
const GAP: f64 = 3.0;
/// The greatest height of turned names, in points, and the most lines of one.
const TURNED: f64 = 90.0;
const MOST_TURNED_LINES: usize = 2;
/// From one line of a broken name to the next.
pub(super) const LINE: f64 = 1.15 * TICK;
/// Whole numbers are few, so they may stand closer together, in text heights.
const WHOLE_LEADING: f64 = 1.4;

impl Axis {
    pub fn new(label: &str, scale: Scale) -> Axis {
        Axis { label: label.to_string(), scale, marking: Marking::Round }
    }

    /// Ticks at the values themselves, if there are few and they are whole; round numbers otherwise.
    pub fn at_values(label: &str, scale: Scale, values: impl IntoIterator<Item = f64>) -> Axis {
        let mut values: Vec<f64> = values.into_iter().filter(|v| scale.shows(*v)).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let (most, largest) = if scale.is_log() { (8, 1e8) } else { (12, 1e4) };
        let few = values.len() <= most && values.iter().all(|v| v.fract() == 0.0 && v.abs() < largest);
        let marking = if few { Marking::Values(values) } else { Marking::Round };
        Axis { label: label.to_string(), scale, marking }
    }

    /// Whether every value has a tick of its own, so that a point slightly beside its tick is still read as that value.
    pub fn has_ticks_at_values(&self) -> bool {
        matches!(self.marking, Marking::Values(_))
    }

    /// One place per name, at 0, 1, 2, ...
    pub fn names(label: &str, names: Vec<String>) -> Axis {
        let scale = Scale::linear(-0.5, names.len().max(1) as f64 - 0.5);
        Axis { label: label.to_string(), scale, marking: Marking::Names(names) }
    }

    /// Ticks at whole numbers only, because there is nothing between them.
    pub fn whole(label: &str, scale: Scale) -> Axis {
        Axis { label: label.to_string(), scale, marking: Marking::Whole }
    }

    /// No ticks at all.
    pub fn unmarked(label: &str, scale: Scale) -> Axis {
        Axis { label: label.to_string(), scale, marking: Marking::Nothing }
    }

    /// One axis that covers all of these, if they are of the same kind.
    pub fn united(axes: &[&Axis]) -> Option<Axis> {
        let first = *axes.first()?;
        let log = first.scale.is_log();
        if axes.iter().any(|axis| axis.scale.is_log() != log) {
            return None;
        }
        let ends = axes.iter().flat_map(|axis| <[f64; 2]>::from(axis.scale.ends()));
        let scale = Scale::covering(ends, log, 0.0)?;
        let mut all: Vec<f64> = Vec::new();
        for axis in axes {
            match &axis.marking {
                Marking::Values(values) => all.extend(values),
                Marking::Names(_) if axes.iter().all(|other| other.marking == axis.marking) => {
                    return Some(first.clone());
                }
                Marking::Names(_) => return None,
                other => return Some(Axis { scale, marking: other.clone(), ..first.clone() }),
            }
        }
        Some(Axis::at_values(&first.label, scale, all))
    }

    /// The same axis without its label.
    pub fn unlabelled(&self) -> Axis {
        Axis { label: String::new(), ..self.clone() }
    }

    /// As the x axis of a chart of this width.
    pub fn across(&self, width: f64) -> Ticked {
        match &self.marking {
            Marking::Names(names) => {
                let pitch = width / names.len().max(1) as f64;
                let lines: Option<Vec<String>> =
                    names.iter().map(|name| in_lines(name, pitch - GAP, MOST_LINES)).collect();
                match one_line(names, pitch).or(lines) {
                    Some(lines) => self.named(lines, false),
                    None => self.named(turned(names, pitch), true),
                }
            }
            Marking::Values(values) => self.ticked(thinned(values, self.scale, width)),
            Marking::Round => self.ticked(self.fitting(width, Ticks::of)),
            Marking::Whole => self.ticked(self.fitting(width, Ticks::whole)),
            Marking::Nothing => self.ticked(Ticks::default()),
        }
    }

    /// As the y axis of a chart of this size.
    pub fn upright(&self, width: f64, height: f64) -> Ticked {
        match &self.marking {
            Marking::Names(names) => {
                let room = NAME_SHARE * width;
                let fitting = (height / names.len().max(1) as f64 / LINE) as usize;
                let most = fitting.clamp(2, MOST_LINES);
                let lines: Option<Vec<String>> = names.iter().map(|name| in_lines(name, room, most)).collect();
                self.named(lines.unwrap_or_else(|| fitted_all(names, TICK, room)), false)
            }
            Marking::Values(values) => self.ticked(at(values)),
            Marking::Round => self.ticked(Ticks::of(self.scale, ((height / (LEADING * TICK)) as usize).max(3))),
            Marking::Whole => self.ticked(Ticks::whole(self.scale, (height / (WHOLE_LEADING * TICK)) as usize)),
            Marking::Nothing => self.ticked(Ticks::default()),
        }
    }

    fn named(&self, labels: Vec<String>, turned: bool) -> Ticked {
        let major = labels.into_iter().enumerate().map(|(index, label)| (index as f64, label)).collect();
        let ticks = Ticks { major, minor: Vec::new() };
        Ticked { label: self.label.clone(), scale: self.scale, ticks, marked: false, turned }
    }

    fn ticked(&self, ticks: Ticks) -> Ticked {
        Ticked { label: self.label.clone(), scale: self.scale, ticks, marked: true, turned: false }
    }

    /// As many ticks as fit side by side without touching.
    fn fitting(&self, width: f64, ticks: fn(Scale, usize) -> Ticks) -> Ticks {
        let choices = (2..=9).rev().map(|count| ticks(self.scale, count));
        let fitting = choices.into_iter().find(|ticks| !crowded(ticks, self.scale, width));
        fitting.unwrap_or_else(|| {
            // Two numbers still give the scale.
            let Ticks { major, minor } = ticks(self.scale, 2);
            let ends = major.first().into_iter().chain(major.last().filter(|_| major.len() > 1));
            Ticks { major: ends.cloned().collect(), minor }
        })
    }
}

/// All names in one line each, if neighbours do not touch at this distance from one to the next.
fn one_line(names: &[String], pitch: f64) -> Option<Vec<String>> {
    let names: Vec<String> = names.iter().map(|name| markup::plain(name)).collect();
    let widths: Vec<f64> = names.iter().map(|name| text_width(name, TICK)).collect();
    let apart = widths.windows(2).all(|pair| (pair[0] + pair[1]) / 2.0 + GAP <= pitch);
    // The first and the last name must not reach beyond the frame.
    let inside = widths.iter().all(|width| *width + GAP <= pitch);
    (apart && inside).then_some(names)
}

/// Names that read from bottom to top, in as many lines as fit side by side at this distance from one name to the next.
fn turned(names: &[String], pitch: f64) -> Vec<String> {
    let most = ((pitch / LINE) as usize).clamp(1, MOST_TURNED_LINES);
    let lines: Option<Vec<String>> = names.iter().map(|name| in_lines(name, TURNED, most)).collect();
    lines.unwrap_or_else(|| fitted_all(names, TICK, TURNED))
}

/// A name in as few lines as it needs, broken at spaces, or after points if it has too few spaces; `None` if it is too wide
/// or needs more lines than these.
fn in_lines(name: &str, room: f64, most: usize) -> Option<String> {
    broken(name, room, most, &[" "]).or_else(|| broken(name, room, most, &[" ", "."]))
}

fn broken(name: &str, room: f64, most: usize, breaks: &[&str]) -> Option<String> {
    let fits = |text: &str| text_width(&markup::plain(text), TICK) <= room;
    if fits(name) {
        return Some(markup::plain(name));
    }
    // A space is left out where a name is broken, and a point stays.
    let halves = |at: &&str| {
        let kept = at.trim().len();
        name.match_indices(*at).map(move |(place, _)| (&name[..place + kept], &name[place + 1..])).collect::<Vec<_>>()
    };
    let rest = |second: &str| if most > 1 { broken(second, room, most - 1, breaks) } else { None };
    let fitting = breaks.iter().flat_map(halves).filter(|(first, _)| fits(first));
    let parts = fitting.filter_map(|(first, second)| Some((first, rest(second)?)));
    // Few lines are best, then a break after a comma, then lines of about the same length.
    let uneven = |rest: &str, first: &str| {
        let lengths = rest.split('\n').chain([first]).map(str::len);
        lengths.clone().max().unwrap_or(0) - lengths.min().unwrap_or(0)
    };
    let (first, rest) =
        parts.min_by_key(|(first, rest)| (rest.split('\n').count(), !first.ends_with(','), uneven(rest, first)))?;
    Some(format!("{}\n{rest}", markup::plain(first)))
}

fn at(values: &[f64]) -> Ticks {
    let labels = values.iter().map(|value| (*value, super::ticks::whole(*value)));
    Ticks { major: labels.collect(), minor: Vec::new() }
}

/// Every value, or every second, third, ... if labels would touch. The other values stay as minor ticks.
fn thinned(values: &[f64], scale: Scale, width: f64) -> Ticks {
    let mut stride = 1;
    loop {
        let (major, minor): (Vec<_>, Vec<_>) =
            at(values).major.into_iter().enumerate().partition(|(i, _)| i % stride == 0);
        let major = major.into_iter().map(|(_, tick)| tick).collect();
        let ticks = Ticks { major, minor: minor.into_iter().map(|(_, (value, _))| value).collect() };
        if stride >= values.len().max(1) || !crowded(&ticks, scale, width) {
            return ticks;
        }
        stride += 1;
    }
}

/// Whether neighbouring labels would come closer than the width of a letter.
fn crowded(ticks: &Ticks, scale: Scale, width: f64) -> bool {
    ticks.major.windows(2).any(|pair| {
        let gap = (scale.fraction(pair[1].0) - scale.fraction(pair[0].0)) * width;
        gap < (text_width(&pair[0].1, TICK) + text_width(&pair[1].1, TICK)) / 2.0 + TICK
    })
}

impl Ticked {
    /// The widest label.
    pub fn breadth(&self) -> f64 {
        let lines = self.ticks.major.iter().flat_map(|(_, text)| text.split('\n'));
        lines.map(|line| text_width(line, TICK)).fold(0.0, f64::max)
    }

    /// Lines in the label with most of them.
    pub fn lines(&self) -> usize {
        self.ticks.major.iter().map(|(_, text)| text.split('\n').count()).max().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_on_an_x_axis_never_touch() {
        for (low, high) in [(0.0, 1.0), (0.0, 123_456.0), (-1e-5, 1e-5), (1e6, 1.000_02e6), (0.0, 3e14)] {
            for width in [40.0, 90.0, 200.0, 450.0] {
                let ticked = Axis::new("x", Scale::linear(low, high)).across(width);
                assert!(ticked.ticks.major.len() <= 2 || !crowded(&ticked.ticks, ticked.scale, width), "{low} {width}");
            }
        }
    }

    #[test]
    fn few_whole_values_are_ticked_themselves() {
        let axis = Axis::at_values("depth", Scale::linear(0.5, 7.5), [3.0, 1.0, 7.0, 3.0, f64::NAN]);
        let texts: Vec<String> = axis.across(200.0).ticks.major.into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["1", "3", "7"]);
    }

    #[test]
    fn wide_names_turn_and_are_cut() {
        let names: Vec<String> = (0..12).map(|i| format!("a rather long agent name {i}")).collect();
        let ticked = Axis::names("", names).across(200.0);
        assert!(ticked.turned && ticked.breadth() <= TURNED);
        let short = Axis::names("", vec!["Snake weights".into(), "b".into()]).across(100.0);
        assert!(!short.turned && short.lines() == 2);
        let lines = |room: f64, most: usize| in_lines("3,000 units of work", room, most);
        assert_eq!(lines(50.0, 3).as_deref(), Some("3,000 units\nof work"));
        assert_eq!(lines(32.0, 3).as_deref(), Some("3,000\nunits\nof work"));
        assert_eq!(lines(32.0, 2), None);
        assert_eq!(in_lines("rank-powers.power", 50.0, 3).as_deref(), Some("rank-powers.\npower"));
        let objective = ["Mean score relative to the start".to_string()];
        assert_eq!(turned(&objective, 20.0), ["Mean score relative\nto the start"]);
        assert!(turned(&objective, 10.0)[0].contains('…'));
        assert_eq!(in_lines("for each move, 100 playouts", 80.0, 3).as_deref(), Some("for each move,\n100 playouts"));
    }
}
