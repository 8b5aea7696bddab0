/** Which replica schedules: the Lease protocol, as client-go speaks it, and the fence that keeps a former leader off. */
@NullMarked
package io.evenkeel.kube.election;

import org.jspecify.annotations.NullMarked;
