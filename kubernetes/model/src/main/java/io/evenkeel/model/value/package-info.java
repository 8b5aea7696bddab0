/**
 * The values that objects are made of: labels and their selectors, the forms of names, quantities and lists of them.
 * Depends on nothing else of Evenkeel.
 */
@NullMarked
package io.evenkeel.model.value;

import org.jspecify.annotations.NullMarked;
