/**
 * Problems that a user can mend, in lines for that user: the exceptions that carry them, and the nearest name to a misspelt one.
 * Knows nothing of what is configured.
 */
@NullMarked
package io.evenkeel.problem;

import org.jspecify.annotations.NullMarked;
