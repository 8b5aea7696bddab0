/** What a new user types, in one file as it is typed, and what has to come of it. */
@NullMarked
package io.evenkeel.e2e.firsthour;

import org.jspecify.annotations.NullMarked;
