/** Files that a user names: what they hold, read again when it changes, and why one cannot be read or written. */
@NullMarked
package io.evenkeel.file;

import org.jspecify.annotations.NullMarked;
