/** The Status that an API server answers when it refuses a request. */
@NullMarked
package io.evenkeel.hollow.status;

import org.jspecify.annotations.NullMarked;
