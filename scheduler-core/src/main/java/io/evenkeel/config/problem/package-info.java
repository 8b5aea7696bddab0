/**
 * Errors in what a user wrote, in lines for that user: the exception that carries them, and the nearest name to a misspelt one.
 * Knows nothing of what is configured.
 */
@NullMarked
package io.evenkeel.config.problem;

import org.jspecify.annotations.NullMarked;
