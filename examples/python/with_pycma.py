"""pycma's CMA-ES: python examples/python/with_pycma.py experiments/tune-greedy.toml [games in all]"""

import sys

import cma

from lab2048 import Games

GAMES, POPULATION, STEP = 5, 20, 0.2  # games in each evaluation; points in a generation; first step in the unit cube


def search(games, budget, seed):
    """The point that pycma recommends: the mean of its distribution, because the best value seen is mostly luck."""
    options = {"popsize": POPULATION, "bounds": [0, 1], "seed": seed, "verbose": -9}
    strategy = cma.CMAEvolutionStrategy(games.start(), STEP, options)
    for _ in range(budget // (GAMES * POPULATION)):
        vectors = strategy.ask()
        means = games.evaluate([games.from_unit(vector) for vector in vectors], GAMES)
        strategy.tell(vectors, [-mean for mean in means])
    return games.from_unit(strategy.result.xfavorite)


if __name__ == "__main__":
    games = Games(sys.argv[1])
    print(games.heuristic(search(games, int(sys.argv[2]) if len(sys.argv) > 2 else 20_000, 1)), end="")
