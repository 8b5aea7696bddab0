/** A scheduler started as the chart starts it, against an API server in this process: its rights and its metrics. */
@NullMarked
package io.evenkeel.chart.live;

import org.jspecify.annotations.NullMarked;
