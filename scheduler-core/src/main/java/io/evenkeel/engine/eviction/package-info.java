/**
 * Pods that go so that others may run: who is on the way out for whom, until the cluster shows it.
 */
@NullMarked
package io.evenkeel.engine.eviction;

import org.jspecify.annotations.NullMarked;
