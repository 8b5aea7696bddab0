/**
 * The flight recorder: what the engine takes in and decides, written to disk by a thread of its own, so that a run can be
 * replayed. How that is written as bytes and read: segments of frames, headers, entries.
 */
@NullMarked
package io.evenkeel.app.record;

import org.jspecify.annotations.NullMarked;
