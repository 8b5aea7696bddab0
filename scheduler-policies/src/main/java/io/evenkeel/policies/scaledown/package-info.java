/**
 * The order in which a ReplicaSet that is scaled down deletes its pods, so that the pods left are spread: by the annotation
 * pod-deletion-cost, on pods with a policy that says so.
 */
@NullMarked
package io.evenkeel.policies.scaledown;

import org.jspecify.annotations.NullMarked;
