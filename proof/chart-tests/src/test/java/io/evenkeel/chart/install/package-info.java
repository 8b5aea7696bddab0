/** The chart's way through a cluster: installed, upgraded, rolled back, uninstalled. */
@NullMarked
package io.evenkeel.chart.install;

import org.jspecify.annotations.NullMarked;
