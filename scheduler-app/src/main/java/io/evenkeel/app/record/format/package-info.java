/** The content of a run's record, and how that is written as bytes and read: segments of frames, headers, entries. */
@NullMarked
package io.evenkeel.app.record.format;

import org.jspecify.annotations.NullMarked;
