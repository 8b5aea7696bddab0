/**
 * Persistent volumes: their zones and restrictions, how many a node can have attached, and which of them a pod's claims are bound
 * to or where one is made for them: found for each node, kept for the pod once it has one, and written before it is bound.
 */
@NullMarked
package io.evenkeel.plugins.volumes;

import org.jspecify.annotations.NullMarked;
