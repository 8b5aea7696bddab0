/**
 * Draws what a suite has measured as SVG files, from what is stored of it alone: {@link io.evenkeel.lab.bench.plot.Plots} is the way in.
 * Nothing is measured here, and the same figures make the same file.
 */
@NullMarked
package io.evenkeel.lab.bench.plot;

import org.jspecify.annotations.NullMarked;
