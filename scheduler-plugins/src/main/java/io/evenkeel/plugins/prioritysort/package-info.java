/** The order in which pods are scheduled. */
@NullMarked
package io.evenkeel.plugins.prioritysort;

import org.jspecify.annotations.NullMarked;
