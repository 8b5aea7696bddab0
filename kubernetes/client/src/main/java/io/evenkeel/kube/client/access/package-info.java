/**
 * Which API server, how we know that it is the right one, and as whom we speak to it: from a kubeconfig, from the pod that we
 * run in, or from flags and the environment; credentials are renewed here. Sends nothing.
 */
@NullMarked
package io.evenkeel.kube.client.access;

import org.jspecify.annotations.NullMarked;
