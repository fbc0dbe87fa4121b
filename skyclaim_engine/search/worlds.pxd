"""The truths that a search begins its samples with: those of a belief in turn, or each imagined where there is none."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from skyclaim_engine.game cimport GameTable


cdef struct Worlds:
    # positions one after the other, and the place of the one that comes first
    const char* positions
    long count
    long first


cdef inline void suppose(
    const Worlds* w, const GameTable* game, const void* observed, int seat, long sample, uint64_t* stream, void* out
) noexcept nogil:
    """Writes the truth of a sample behind what a seat sees."""
    if w.count:
        memcpy(out, w.positions + ((w.first + sample) % w.count) * game.size, game.size)
    else:
        game.imagine(observed, seat, stream, out)
