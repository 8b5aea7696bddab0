/** Users: which one a request is of, and whether it may make it. */
@NullMarked
package io.evenkeel.hollow.auth;

import org.jspecify.annotations.NullMarked;
