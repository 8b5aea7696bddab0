/** Commands of a new user, in one file as they are typed, with the outcome of each. */
@NullMarked
package io.evenkeel.e2e.firsthour;

import org.jspecify.annotations.NullMarked;
