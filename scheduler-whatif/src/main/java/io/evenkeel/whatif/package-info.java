/** A cluster in memory, and what the scheduler would do there: tried, and taken back. */
@NullMarked
package io.evenkeel.whatif;

import org.jspecify.annotations.NullMarked;
