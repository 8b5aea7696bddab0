/**
 * The answers to lists and watches, bytes to events: frames and pages in JSON and protobuf, and the statuses that refuse. Knows
 * nothing of when to ask again.
 */
@NullMarked
package io.evenkeel.kube.watch.frame;

import org.jspecify.annotations.NullMarked;
