/**
 * Clients that are not ours beside ours: the Kubernetes project's Java client with its kubectl, informers and leader
 * elector. What it cannot do on a hollow cluster is the hollow cluster's fault; what it sees is what users see.
 */
@NullMarked
package io.evenkeel.e2e.foreign;

import org.jspecify.annotations.NullMarked;
