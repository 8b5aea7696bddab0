/**
 * Volumes: what binds claims to them, makes them, takes them back, and makes the claims of ephemeral ones. The claims of
 * StatefulSets are made where their pods are.
 */
@NullMarked
package io.evenkeel.hollow.volume;

import org.jspecify.annotations.NullMarked;
