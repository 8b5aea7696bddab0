/**
 * The plugins that come with Evenkeel, all of them by name; here those that look at a pod, or at a node and not at its pods:
 * name, labels, taints, features, images and cordons.
 */
@NullMarked
package io.evenkeel.plugins;

import org.jspecify.annotations.NullMarked;
