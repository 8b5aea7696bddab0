/**
 * What becomes of a cluster if something is changed: the live scheduler's own turns, played on a picture of it in memory, and
 * the report of it.
 */
@NullMarked
package io.evenkeel.app.simulate;

import org.jspecify.annotations.NullMarked;
