/** Text for people to read. */
@NullMarked
package io.evenkeel.app.text;

import org.jspecify.annotations.NullMarked;
