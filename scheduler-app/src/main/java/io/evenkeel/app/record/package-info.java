/**
 * The flight recorder: what the engine takes in and decides, written to disk by a thread of its own, so that a run can be
 * replayed.
 */
@NullMarked
package io.evenkeel.app.record;

import org.jspecify.annotations.NullMarked;
