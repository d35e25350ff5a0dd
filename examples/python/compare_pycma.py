"""Our CMA-ES against pycma's: the same problem, budget, population and games per evaluation, ten searches each.

    pip install cma scipy
    python examples/python/compare_pycma.py [repeats [games of each search]]

Both search the problem of experiments/tune-greedy.toml. The recommendation of every search then plays the same games of
`lab2048 compare`, which neither has seen. The interval is over searches, not over games. Writes results/against-pycma/.
"""

import csv
import os
import subprocess
import sys
from pathlib import Path
from statistics import mean, median

from scipy import stats

from lab2048 import Games
from with_pycma import search

EXPERIMENT, PROGRAM, TEST_GAMES = "experiments/tune-greedy.toml", "target/release/lab2048", 2000
OUT, SCRATCH = Path("results/against-pycma"), Path("target/against-pycma")


def ours(games, repeats, budget):
    """The points that `tune` recommends: the last of each trajectory."""
    text = Path(EXPERIMENT).read_text().replace("budget = 50000", f"budget = {budget}")
    SCRATCH.mkdir(parents=True, exist_ok=True)
    (SCRATCH / "tune.toml").write_text(text)
    folder = SCRATCH / f"ours-{budget}"
    tune = [PROGRAM, "tune", SCRATCH / "tune.toml", "--repeats", str(repeats), "--out", folder, "--format", "none"]
    subprocess.run(tune, check=True, stdout=subprocess.DEVNULL)
    with open(folder / "trajectory.csv") as table:
        last = {row["repeat"]: row for row in csv.DictReader(table)}
    return [{p["name"]: float(row[p["name"]]) for p in games.parameters} for row in last.values()]


def theirs(repeat, budget):
    # Every search has its own training games, as our searches have.
    games = Games(EXPERIMENT, "--seed", str(repeat), program=PROGRAM)
    point = search(games, budget, repeat)
    games.close()
    return point


def test(names):
    """The mean score of each heuristic file on games that no search has played."""
    agents = [part for name in names for part in ("--agent", f"greedy:heuristic={OUT}/weights/{name}.toml")]
    compare = [PROGRAM, "compare", *agents, "--games", str(TEST_GAMES), "--goal", "none", "--fresh"]
    subprocess.run([*compare, "--out", SCRATCH / "test", "--format", "none"], check=True, stdout=subprocess.DEVNULL)
    with open(SCRATCH / "test/summary.csv") as table:
        return [float(row["mean_score"]) for row in csv.DictReader(table)]


def write(name, header, rows):
    with open(OUT / name, "w", newline="") as file:
        csv.writer(file, lineterminator=os.linesep).writerows([header, *rows])


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    budget = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    games = Games(EXPERIMENT, program=PROGRAM)
    points = {"lab2048": ours(games, repeats, budget)}
    points["pycma"] = [theirs(repeat, budget) for repeat in range(1, repeats + 1)]
    searches = [(optimizer, repeat) for optimizer in points for repeat in range(1, repeats + 1)]
    (OUT / "weights").mkdir(parents=True, exist_ok=True)
    for optimizer, repeat in searches:
        heuristic = games.heuristic(points[optimizer][repeat - 1])
        (OUT / f"weights/{optimizer}-{repeat}.toml").write_text(heuristic)
    scores = test([f"{optimizer}-{repeat}" for optimizer, repeat in searches])
    write("scores.csv", ["optimizer", "repeat", "games", "mean_score"],
          [[*search, TEST_GAMES, score] for search, score in zip(searches, scores)])
    write("means.csv", ["optimizer", "mean_score", "mean_score_low", "mean_score_high", "median_score"],
          summary(scores[:repeats], scores[repeats:]))
    print((OUT / "means.csv").read_text(), end="")


def summary(ours, theirs):
    """Means over searches with 95 % intervals (Student, and Welch for the difference), and medians."""
    rows = [["lab2048", stats.ttest_1samp(ours, 0), mean(ours), median(ours)],
            ["pycma", stats.ttest_1samp(theirs, 0), mean(theirs), median(theirs)],
            ["difference", stats.ttest_ind(ours, theirs, equal_var=False), mean(ours) - mean(theirs),
             median(ours) - median(theirs)]]
    bounds = [row[1].confidence_interval(0.95) for row in rows]
    return [[name, *(round(float(x), 1) for x in (middle, ends.low, ends.high, centre))]
            for (name, _, middle, centre), ends in zip(rows, bounds)]


if __name__ == "__main__":
    main()
