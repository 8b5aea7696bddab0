/** The HTTP side: how a request comes from its socket to the one who answers it. */
@NullMarked
package io.evenkeel.hollow.rest;

import org.jspecify.annotations.NullMarked;
