/**
 * The endpoints {@code /metrics}, {@code /metrics/slis} and {@code /metrics/resources}, and the flags that choose what they show.
 * The metrics themselves are in the rooms below.
 */
@NullMarked
package io.evenkeel.app.metrics;

import org.jspecify.annotations.NullMarked;
