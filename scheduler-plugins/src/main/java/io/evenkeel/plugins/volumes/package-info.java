/**
 * Persistent volumes: their zones and restrictions, and what all their plugins share, which is how claims, volumes and their
 * classes are found, which nodes have which labels, and which CSI driver stands in for a plugin of former Kubernetes.
 */
@NullMarked
package io.evenkeel.plugins.volumes;

import org.jspecify.annotations.NullMarked;
