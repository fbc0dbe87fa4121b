"""The line protocol, in dependency order.

``grammar`` (what a line may say), ``lines`` (bytes to lines), ``writer`` (the only place that prints),
``session`` (the state machine: lines in, lines out), ``stdio`` (the session on the standard streams), and for the
other end of the pipe ``child`` and ``wire`` (an engine's process, or a connection to one), ``dialogue`` (lines to and
from it) and ``client``, which drives any engine that speaks the protocol.
"""
