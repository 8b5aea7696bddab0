/** Standard output: its width and colours, and an exception where it cannot be written. */
@NullMarked
package io.evenkeel.app.cli.output;

import org.jspecify.annotations.NullMarked;
