/** What a pod, and the profile, ask of a node itself: its name, labels, taints, features and images, and that it is not cordoned. */
@NullMarked
package io.evenkeel.plugins.node;

import org.jspecify.annotations.NullMarked;
