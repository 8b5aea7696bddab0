/** The chart through Helm itself, in this process, and the manifests that come of it. Knows nothing of what they should say. */
@NullMarked
package io.evenkeel.chart.helm;

import org.jspecify.annotations.NullMarked;
