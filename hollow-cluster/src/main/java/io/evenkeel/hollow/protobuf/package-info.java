/**
 * Objects as Kubernetes writes them in protobuf: a table of message types, a writer and a reader that follow it, and
 * the frames of lists and watches. The scheduler's own reader is a stranger to it, so that each may find the other's errors.
 */
@NullMarked
package io.evenkeel.hollow.protobuf;

import org.jspecify.annotations.NullMarked;
