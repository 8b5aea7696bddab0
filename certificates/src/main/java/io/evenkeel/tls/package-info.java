/** Certificates and keys: read from PEM, or made by a server for itself when nobody has given it any. */
@NullMarked
package io.evenkeel.tls;

import org.jspecify.annotations.NullMarked;
