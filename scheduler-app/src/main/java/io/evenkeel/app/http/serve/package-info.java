/**
 * The options {@code --secure-port}, {@code --tls-...} and their kin, and what they set up: listening servers, their
 * certificates and TLS, and who may read what. A client is known by its certificate, a front proxy's headers or a token; the
 * API server decides whether it may read a path. The way into {@code app.http} for a command.
 */
@NullMarked
package io.evenkeel.app.http.serve;

import org.jspecify.annotations.NullMarked;
