/** A test's own corner of a cluster: its namespace, nodes, pods and schedulers, all gone when the test ends. */
@NullMarked
package io.evenkeel.e2e.scene;

import org.jspecify.annotations.NullMarked;
