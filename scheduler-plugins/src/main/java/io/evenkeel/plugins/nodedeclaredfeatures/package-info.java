/** Features that a pod relies on and a node declares. */
@NullMarked
package io.evenkeel.plugins.nodedeclaredfeatures;

import org.jspecify.annotations.NullMarked;
