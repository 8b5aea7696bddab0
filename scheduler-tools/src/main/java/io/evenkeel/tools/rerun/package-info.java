/** A recorded run once more: the same calls, and whether the same comes of them. */
@NullMarked
package io.evenkeel.tools.rerun;

import org.jspecify.annotations.NullMarked;
