/** What the scheduler leaves behind in a cluster, side by side with what kube-scheduler left behind in the same one. */
@NullMarked
package io.evenkeel.e2e.reference;

import org.jspecify.annotations.NullMarked;
