/** The chart's README, made of its values.yaml. */
@NullMarked
package io.evenkeel.chart.docs;

import org.jspecify.annotations.NullMarked;
