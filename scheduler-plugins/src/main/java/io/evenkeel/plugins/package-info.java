/**
 * kube-scheduler's plugins, each by its name; modules beside this one bring more by a service. Here are those that look at a pod,
 * or at a node and the sums of its pods: name, labels, taints, features, images, cordons, resources and ports.
 */
@NullMarked
package io.evenkeel.plugins;

import org.jspecify.annotations.NullMarked;
