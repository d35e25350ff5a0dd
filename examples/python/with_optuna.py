"""Optuna's TPE: python examples/python/with_optuna.py experiments/tune-greedy.toml [games in all]"""

import sys

import optuna

from lab2048 import Games

GAMES = 100  # in each evaluation

games = Games(sys.argv[1])
budget = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000


def objective(trial):
    point = games.from_unit([trial.suggest_float(p["name"], 0, 1) for p in games.parameters])
    return games.evaluate([point], GAMES)[0]


optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
study.enqueue_trial(dict(zip((p["name"] for p in games.parameters), games.start())))
study.optimize(objective, n_trials=budget // GAMES)
print(games.heuristic(games.from_unit([study.best_params[p["name"]] for p in games.parameters])), end="")
