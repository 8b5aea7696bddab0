/**
 * The pods that wait for a node: who is next, who waits for which change, who is tried again when, and how the queue looks
 * from outside. Reads no clock and takes no lock; knows nothing of nodes, which plugins' hints do.
 */
@NullMarked
package io.evenkeel.queue;

import org.jspecify.annotations.NullMarked;
