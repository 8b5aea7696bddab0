/**
 * Writes into objects beside the scheduling itself, such as their statuses: the newest patch of an object, at a pace of its
 * own, so that bindings never wait for it.
 */
@NullMarked
package io.evenkeel.kube.patch;

import org.jspecify.annotations.NullMarked;
