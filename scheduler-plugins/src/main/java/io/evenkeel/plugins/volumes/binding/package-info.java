/**
 * Which volume a pod's claims are bound to, or where one is made for them: found for each node, kept for the pod once it has
 * one, and written before it is bound.
 */
@NullMarked
package io.evenkeel.plugins.volumes.binding;

import org.jspecify.annotations.NullMarked;
