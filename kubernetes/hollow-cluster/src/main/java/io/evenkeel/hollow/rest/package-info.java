/** The HTTP side: how a request comes to the one who answers it, and what the server says of itself and of a user's rights. */
@NullMarked
package io.evenkeel.hollow.rest;

import org.jspecify.annotations.NullMarked;
