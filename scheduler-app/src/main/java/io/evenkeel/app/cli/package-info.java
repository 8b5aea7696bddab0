/** The command line. */
@NullMarked
package io.evenkeel.app.cli;

import org.jspecify.annotations.NullMarked;
