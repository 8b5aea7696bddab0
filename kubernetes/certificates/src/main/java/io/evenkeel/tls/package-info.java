/** Certificates and keys: read from PEM, or made by a server for itself when it has been given none. */
@NullMarked
package io.evenkeel.tls;

import org.jspecify.annotations.NullMarked;
