/**
 * Keeps the limits that PlacementPolicies set: caps, domains that must or may be used, weights. A policy is bound to the counts
 * there are ({@link io.evenkeel.policies.BoundPolicy}), and read by those who look on ({@link io.evenkeel.policies.ReadablePolicy}).
 */
@NullMarked
package io.evenkeel.policies;

import org.jspecify.annotations.NullMarked;
