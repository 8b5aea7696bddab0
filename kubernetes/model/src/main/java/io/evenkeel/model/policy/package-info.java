/** Policies of where pods may be, beyond what pods say themselves. */
@NullMarked
package io.evenkeel.model.policy;

import org.jspecify.annotations.NullMarked;
