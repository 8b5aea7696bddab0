/** What the definitions of PlacementPolicies refuse, in a real server's words. */
@NullMarked
package io.evenkeel.hollow.kind.policy;

import org.jspecify.annotations.NullMarked;
