/**
 * The whole scheduler in a simulated world: replicas, API servers and all that lives in a cluster, where one thing happens at
 * a time and every run can be repeated. Production knows nothing of it.
 */
@NullMarked
package io.evenkeel.world;

import org.jspecify.annotations.NullMarked;
