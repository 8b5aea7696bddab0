/** Nodes that a pod names itself. */
@NullMarked
package io.evenkeel.plugins.nodename;

import org.jspecify.annotations.NullMarked;
