/** Objects by which pods say that they belong together, and what a scheduler says of them. */
@NullMarked
package io.evenkeel.model.group;

import org.jspecify.annotations.NullMarked;
