/*
 * inflate_team.h - threads that decode a gzip file ahead of the one that
 * decodes it in order
 *
 * The file is divided into pieces.  A helper takes one that is some way ahead,
 * finds the beginning of a block in it and decodes the blocks from there to the
 * end of the piece, without the 32 KiB before them, to symbols
 * (deflate_symbols.h).  The thread that decodes in order, the leader, gets
 * these symbols if it reaches the same bit of the file at the end of a block:
 * then it knows the window, and that the guess was right.  It never waits: it
 * takes the blocks that are done, and decodes the rest itself.  Helpers have
 * the lowest priority, so that they use only processors that are idle.
 *
 * Positions are numbers of bits, from the beginning of the compressed data on.
 */
#ifndef INFLATE_TEAM_H
#define INFLATE_TEAM_H

#include <sys/types.h>

#include "deflate_symbols.h"

struct inflate_team;

/* Creates a team without helpers for the file fd from offset "from" on, and
   pieces of this many bytes; 0: the default.  Returns NULL if there is no
   memory or the file has too few pieces. */
struct inflate_team *inflate_team_create(int fd, off_t from, size_t piece);

/* Ends the helpers.  Accepts NULL. */
void inflate_team_free(struct inflate_team *t);

/* Sets how many helpers start when the leader first asks for their work, as far
   as the system has threads; none of them ends before the team.  Accepts
   NULL. */
void inflate_team_set_helpers(struct inflate_team *t, unsigned n);

/* Returns when all helpers are idle and hold no lock, which lasts until
   inflate_team_resume().  Both accept NULL. */
void inflate_team_pause(struct inflate_team *t);
void inflate_team_resume(struct inflate_team *t);

/* ---- For the leader --------------------------------------------------- */

/* Tells where the leader is, whose thread blocks all signals.  Returns the
   beginning of the next blocks that are decoded, which may be here, or
   DEFLATE_NOWHERE. */
uint64_t inflate_team_next(struct inflate_team *t, uint64_t position);

/* Takes the blocks that begin here, which inflate_team_next() has returned, as
   far as they are decoded.  They are the leader's until
   inflate_team_return(). */
struct inflate_blocks {
    const uint16_t *symbol;
    size_t n;
    uint64_t end; /* the position after them */
};
struct inflate_blocks inflate_team_take(struct inflate_team *t,
                                        uint64_t position);
void inflate_team_return(struct inflate_team *t);

/* Returns how many bytes helpers have decoded for the leader so far.  For the
   leader. */
uint64_t inflate_team_helped(const struct inflate_team *t);

#endif
