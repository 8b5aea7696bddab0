/**
 * Whether a node has room for what a pod requests and its ports free, and how its resources would be used then:
 * NodeResourcesFit, NodeResourcesBalancedAllocation, NodePorts. What a pod requests is worked out in the cluster package; here
 * it is only compared.
 */
@NullMarked
package io.evenkeel.plugins.noderesources;

import org.jspecify.annotations.NullMarked;
