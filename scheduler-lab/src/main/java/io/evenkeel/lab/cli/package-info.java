/** The commands {@code bench}, {@code demo} and {@code hollow}, which {@code evenkeel} has where this module is beside it. */
@NullMarked
package io.evenkeel.lab.cli;

import org.jspecify.annotations.NullMarked;
