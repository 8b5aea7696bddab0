/** Checks the node itself for a pod and its profile: name, labels, taints, features and images, and that it is not cordoned. */
@NullMarked
package io.evenkeel.plugins.node;

import org.jspecify.annotations.NullMarked;
