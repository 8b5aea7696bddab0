/**
 * Moves carried out, as a state machine: what is known of the cluster comes in, what is to be held, evicted and let go comes out. No
 * I/O and no clock here.
 */
@NullMarked
package io.evenkeel.whatif.moves;

import org.jspecify.annotations.NullMarked;
