/** Keeps the limits that PlacementPolicies set: caps, domains that must or may be used, weights. */
@NullMarked
package io.evenkeel.policies;

import org.jspecify.annotations.NullMarked;
