/** Certificates that a server makes for itself when nobody has given it one. */
@NullMarked
package io.evenkeel.app.tls;

import org.jspecify.annotations.NullMarked;
