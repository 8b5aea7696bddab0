/** What options of the command line take: texts to values, refused in a line that says what is taken. */
@NullMarked
package io.evenkeel.app.option;

import org.jspecify.annotations.NullMarked;
