/** The list of the commands beside {@code run}, and the command {@code evenkeel why}. */
@NullMarked
package io.evenkeel.tools.cli;

import org.jspecify.annotations.NullMarked;
