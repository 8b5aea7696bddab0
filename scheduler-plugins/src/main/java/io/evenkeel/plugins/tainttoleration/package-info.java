/** Taints of nodes against tolerations of pods. */
@NullMarked
package io.evenkeel.plugins.tainttoleration;

import org.jspecify.annotations.NullMarked;
