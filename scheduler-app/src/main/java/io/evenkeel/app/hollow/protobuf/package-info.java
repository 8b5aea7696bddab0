/**
 * Objects as Kubernetes writes them in protobuf: a table of message types, a writer that follows it, and the frames of
 * lists and watches. Only writes; the scheduler's own reader is a stranger to it, so that each may find the other's errors.
 */
@NullMarked
package io.evenkeel.app.hollow.protobuf;

import org.jspecify.annotations.NullMarked;
