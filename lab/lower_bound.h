/*
 * lower_bound.h - what no structure can do better
 */
#ifndef LOWER_BOUND_H
#define LOWER_BOUND_H

/*
 * The fewest bits per key that any structure needs which calls a new key a
 * repeat with probability drop and a repeat new with probability pass, when
 * each key it was given is as likely to be asked about: 0 where guessing does
 * as well, infinite if drop is 0.
 */
double floor_bits(double drop, double pass);

/*
 * The lowest rate of false drops, from an empty start on, of any structure
 * with this many bits for each of the keys it remembers, and no false passes.
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
