/**
 * The input from the API server: a watch for each kind, which turns lists, streams, cuts and expired versions into
 * an unbroken sequence of events, from JSON and protobuf. Knows nothing of how requests travel.
 */
@NullMarked
package io.evenkeel.kube.watch;

import org.jspecify.annotations.NullMarked;
