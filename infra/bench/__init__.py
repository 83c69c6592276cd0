"""Ratios of CodeKeeper's speed and size against floors measured beside it. `infra/bench/run` starts it; README.md explains it."""
