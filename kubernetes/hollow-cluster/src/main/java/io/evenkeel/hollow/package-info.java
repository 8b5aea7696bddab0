/** An in-memory Kubernetes API server for demos and tests: the cluster that a user starts, and its options. Its parts live in the packages below. */
@NullMarked
package io.evenkeel.hollow;

import org.jspecify.annotations.NullMarked;
