/** Types of option values: each turns the text of an option into a value, or refuses it in a line that says what it takes. */
@NullMarked
package io.evenkeel.app.option;

import org.jspecify.annotations.NullMarked;
