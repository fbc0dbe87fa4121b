"""The line protocol, in dependency order.

``grammar`` (what a line may say), ``lines`` (bytes to lines), ``writer`` (the only place that prints),
``session`` (the state machine: lines in, lines out), ``stdio`` (the session on the standard streams), and for the
other end of the pipe ``client``, which drives any engine that speaks the protocol.
"""
