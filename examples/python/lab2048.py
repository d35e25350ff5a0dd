"""Lets a Python optimizer evaluate parameters by the games of `lab2048 evaluate`."""

import json
import math
import subprocess
import sys


class Games:
    """The tuning experiment in a TOML file. `program` is the path of lab2048."""

    def __init__(self, experiment, *options, program="target/release/lab2048"):
        command = [program, "evaluate", experiment, *options]
        self.space = json.loads(subprocess.check_output([*command, "--describe"]))
        self.parameters = self.space["parameters"]
        self.command, self.next_id = command, 1
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def evaluate(self, points, games):
        """Plays games with each point, a dictionary of all parameters, and returns the mean objectives."""
        ids = range(self.next_id, self.next_id + len(points))
        self.next_id += len(points)
        for number, point in zip(ids, points):
            print(json.dumps({"id": number, "parameters": point, "games": games}), file=self.process.stdin)
        self.process.stdin.flush()
        answers = [json.loads(self.process.stdout.readline()) for _ in points]
        for answer in answers:
            if "error" in answer:
                sys.exit(answer["error"])
        return [answer["mean"] for answer in answers]

    def close(self):
        """Ends the program."""
        self.process.communicate()

    def from_unit(self, vector):
        """The point that a vector of the unit cube stands for; log scales have both ends on one side of 0."""
        return {p["name"]: value(p, min(max(unit, 0.0), 1.0)) for p, unit in zip(self.parameters, vector)}

    def start(self):
        """The start of the search as a vector of the unit cube."""
        return [unit_of(p) for p in self.parameters]

    def heuristic(self, point):
        """The text of the heuristic file with these parameters, for `--agent greedy:heuristic=FILE`."""
        return subprocess.check_output([*self.command, "--heuristic", json.dumps(point)], text=True)


def value(parameter, unit):
    if parameter["type"] == "choice":
        choices = parameter["choices"]
        return choices[min(int(unit * len(choices)), len(choices) - 1)]
    low, high = parameter["low"], parameter["high"]
    if parameter["scale"] == "log":
        at = low * (high / low) ** unit
    else:
        at = low + (high - low) * unit
    at = min(max(at, low), high)
    return round(at) if parameter["type"] == "integer" else at


def unit_of(parameter):
    start = parameter["start"]
    if parameter["type"] == "choice":
        return (parameter["choices"].index(start) + 0.5) / len(parameter["choices"])
    low, high = parameter["low"], parameter["high"]
    if parameter["scale"] == "log":
        return math.log(start / low) / math.log(high / low)
    return (start - low) / (high - low)
