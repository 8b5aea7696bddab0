/**
 * The effect of a change on a cluster: the live scheduler's own turns, played on a picture of it in memory, and
 * the report of it.
 */
@NullMarked
package io.evenkeel.tools.simulate;

import org.jspecify.annotations.NullMarked;
