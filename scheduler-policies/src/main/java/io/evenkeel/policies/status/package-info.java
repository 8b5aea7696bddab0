/** Says how PlacementPolicies are kept: in their statuses, by events, and as metrics. */
@NullMarked
package io.evenkeel.policies.status;

import org.jspecify.annotations.NullMarked;
