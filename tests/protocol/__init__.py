"""Tests of the line protocol: the session with toy games, the transport and the client over real processes."""
