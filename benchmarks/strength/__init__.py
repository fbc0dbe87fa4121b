"""How strong the engine is beside others: `python -m benchmarks.strength`."""
