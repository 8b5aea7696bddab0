/**
 * How requests reach the API server: where it is, how it is trusted, how we are let in. The only package that knows
 * client-java, and of it only TLS.
 */
@NullMarked
package io.evenkeel.kube.client;

import org.jspecify.annotations.NullMarked;
