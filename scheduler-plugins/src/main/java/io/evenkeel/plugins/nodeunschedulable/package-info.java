/** Cordoned nodes. */
@NullMarked
package io.evenkeel.plugins.nodeunschedulable;

import org.jspecify.annotations.NullMarked;
