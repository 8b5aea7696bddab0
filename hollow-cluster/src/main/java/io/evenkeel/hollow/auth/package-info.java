/** Who calls, and whether they may. */
@NullMarked
package io.evenkeel.hollow.auth;

import org.jspecify.annotations.NullMarked;
