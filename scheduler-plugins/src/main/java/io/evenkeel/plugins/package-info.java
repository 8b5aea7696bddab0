/**
 * kube-scheduler's plugins, each by its name; modules beside this one bring more by a service. Here are those that look at a pod,
 * or at a node and not at its pods: name, labels, taints, features, images and cordons.
 */
@NullMarked
package io.evenkeel.plugins;

import org.jspecify.annotations.NullMarked;
