/**
 * Watches how a cluster's pods are spread, by any scheduler, and what Evenkeel would have made of each: the command
 * {@code evenkeel observe} and its report. Writes nothing to the cluster.
 */
@NullMarked
package io.evenkeel.tools.observe;

import org.jspecify.annotations.NullMarked;
