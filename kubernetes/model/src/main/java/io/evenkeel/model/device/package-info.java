/** Devices of dynamic resource allocation: what drivers publish, what pods claim, and what was allocated. */
@NullMarked
package io.evenkeel.model.device;

import org.jspecify.annotations.NullMarked;
