/** What the rendered manifests and the values' schema have to say. */
@NullMarked
package io.evenkeel.chart.manifests;

import org.jspecify.annotations.NullMarked;
