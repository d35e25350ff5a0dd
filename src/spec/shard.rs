//! A share of an experiment: `3/16` is the fourth of sixteen.

use std::fmt;
use std::str::FromStr;

/// The most shards: more than any cluster has processors.
const MOST_SHARDS: u64 = 1_000_000;

/// One of several shares of the games of an experiment. Other processes play the other shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// The share number `index`, counted from 0, of `count`; `None` if there is no such share.
    pub fn new(index: u64, count: u64) -> Option<Self> {
        (index < count && count <= MOST_SHARDS).then_some(Shard { index, count })
    }

    /// Its number, counted from 0.
    pub fn index(self) -> u64 {
        self.index
    }

    /// How many shares there are.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Whether the item with this number belongs to the share. Consecutive items go to different shares, so every share
    /// has a similar mix of items.
    pub fn has(self, number: u64) -> bool {
        number % self.count == self.index
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let (index, count) = numbers.ok_or_else(|| format!("`{text}` is not a shard: write I/N, such as 0/16"))?;
        Shard::new(index, count).ok_or_else(|| match count {
            0 => format!("`{text}` divides the games into no shards: write I/N with N from 1 to {MOST_SHARDS}"),
            _ if count > MOST_SHARDS => format!("`{text}` has too many shards: at most {MOST_SHARDS} are possible"),
            _ => format!(
                "`{text}` is not a shard: of {count} shards the first is 0/{count} and the last {}/{count}",
                count - 1
            ),
        })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip_and_wrong_ones_say_what_is_allowed() {
        for text in ["0/1", "3/16", "999999/1000000"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for (text, part) in [
            ("3/2", "the last 1/2"),
            ("2/2", "the last 1/2"),
            ("0/0", "no shards"),
            ("0/1000001", "too many"),
            ("-1/2", "write I/N"),
            ("1", "write I/N"),
            ("", "write I/N"),
            ("1/2/3", "write I/N"),
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn every_item_is_in_exactly_one_shard() {
        let shards: Vec<Shard> = (0..7).filter_map(|index| Shard::new(index, 7)).collect();
        assert!((0..100).all(|item| shards.iter().filter(|shard| shard.has(item)).count() == 1));
    }
}
