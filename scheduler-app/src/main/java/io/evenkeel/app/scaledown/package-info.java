/**
 * In which order a ReplicaSet that is scaled down deletes its pods, so that those that are left are spread: the annotation
 * pod-deletion-cost of pods whose policy says so.
 */
@NullMarked
package io.evenkeel.app.scaledown;

import org.jspecify.annotations.NullMarked;
