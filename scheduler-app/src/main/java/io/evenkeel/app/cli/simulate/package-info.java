/** {@code evenkeel simulate} and {@code evenkeel dump}, and what their options take. */
@NullMarked
package io.evenkeel.app.cli.simulate;

import org.jspecify.annotations.NullMarked;
