/** Rules of the API server and of its controllers about workloads and their pods: what a pod is given when it is created, which go first. */
@NullMarked
package io.evenkeel.model.workload;

import org.jspecify.annotations.NullMarked;
