/**
 * How requests reach the API server. Which server, how we know that it is the right one, and as whom we speak to it: from a
 * kubeconfig, from the pod that we run in, or from flags and the environment. Then connections, TLS, and what became of a
 * request.
 */
@NullMarked
package io.evenkeel.kube.client;

import org.jspecify.annotations.NullMarked;
