/** A recorded run once more: the same calls, and whether the same comes of them. */
@NullMarked
package io.evenkeel.app.record.replay;

import org.jspecify.annotations.NullMarked;
