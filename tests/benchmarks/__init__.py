"""Measurements, as ratios or sizes, with the command that repeats each; never part of the suite."""
