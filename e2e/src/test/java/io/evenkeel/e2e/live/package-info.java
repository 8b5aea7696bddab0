/** A scheduler's life: restarts, hand-overs, servers that go away, answers that get lost. */
@NullMarked
package io.evenkeel.e2e.live;

import org.jspecify.annotations.NullMarked;
