/** Who calls, and whether they may. */
@NullMarked
package io.evenkeel.app.hollow.auth;

import org.jspecify.annotations.NullMarked;
