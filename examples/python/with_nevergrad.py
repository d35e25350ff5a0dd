"""nevergrad's optimizers: python examples/python/with_nevergrad.py experiments/tune-greedy.toml [games in all]"""

import sys

import nevergrad as ng

from lab2048 import Games

GAMES, WORKERS = 50, 8  # games in each evaluation; evaluations at a time

games = Games(sys.argv[1])
budget = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
space = ng.p.Array(init=games.start()).set_bounds(0, 1)
space.random_state.seed(1)
optimizer = ng.optimizers.TBPSA(parametrization=space, budget=budget // GAMES, num_workers=WORKERS)
for _ in range(budget // (GAMES * WORKERS)):
    candidates = [optimizer.ask() for _ in range(WORKERS)]
    means = games.evaluate([games.from_unit(candidate.value) for candidate in candidates], GAMES)
    for candidate, mean in zip(candidates, means):
        optimizer.tell(candidate, -mean)
print(games.heuristic(games.from_unit(optimizer.provide_recommendation().value)), end="")
