"""Who reads the dumps: processes of this machine under limits, the workers of Dask, or the run itself.

Imports: base, raw, reading.
Touches: processes, network, clock.
"""
