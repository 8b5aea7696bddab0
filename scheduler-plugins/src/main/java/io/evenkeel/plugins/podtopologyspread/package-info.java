/** Spreads the pods of a workload over the domains of a topology: the PodTopologySpread plugin. */
@NullMarked
package io.evenkeel.plugins.podtopologyspread;

import org.jspecify.annotations.NullMarked;
