/**
 * How requests reach the API server: connections, TLS, and what became of a request. With its rooms the only package that knows
 * client-java, and of it only TLS.
 */
@NullMarked
package io.evenkeel.kube.client;

import org.jspecify.annotations.NullMarked;
