/** Host ports, of which a node has each but once. */
@NullMarked
package io.evenkeel.plugins.nodeports;

import org.jspecify.annotations.NullMarked;
