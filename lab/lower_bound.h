/*
 * lower_bound.h - error rates that no structure can improve on
 */
#ifndef LOWER_BOUND_H
#define LOWER_BOUND_H

/*
 * Returns the fewest bits per key of any structure that calls a new key a
 * repeat with probability drop and a repeat new with probability pass, if all
 * its keys are equally likely to be asked about: 0 if guessing does as well,
 * infinite if drop is 0.
 */
double floor_bits(double drop, double pass);

/*
 * Returns the lowest rate of false drops, averaged from an empty start, of any
 * structure with this many bits for each of its keys, and no false passes.
 */
double floor_drops(double bits);

/*
 * Returns the share of new keys that are dropped by a Bloom filter of k
 * partitions which never deletes, averaged from an empty start; bits
 * is the size of a partition divided by the number of keys.  A filter of this
 * kind that deletes drops fewer.
 */
double bloom_drops(double bits, unsigned k);

#endif
