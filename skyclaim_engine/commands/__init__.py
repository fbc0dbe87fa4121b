"""The subcommands of `skyclaim` that are not a part of another package, one module each."""
