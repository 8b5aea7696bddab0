/**
 * The options {@code --secure-port}, {@code --tls-...} and their kin, and what they set up: listening servers, the
 * certificate that they show, the TLS that they speak. The way into {@code app.http} for a command.
 */
@NullMarked
package io.evenkeel.app.http.serve;

import org.jspecify.annotations.NullMarked;
