/** How requests reach the API server: connections, TLS, and what became of a request. */
@NullMarked
package io.evenkeel.kube.client;

import org.jspecify.annotations.NullMarked;
