/**
 * What a crowd of pods that fit nowhere costs those that do, while nodes change a thousand times a second. Who waits is in
 * {@link io.evenkeel.lab.bench.crowd.CrowdPods}, what changes in {@link io.evenkeel.lab.bench.crowd.NodeEvents}.
 */
@NullMarked
package io.evenkeel.lab.bench.crowd;

import org.jspecify.annotations.NullMarked;
