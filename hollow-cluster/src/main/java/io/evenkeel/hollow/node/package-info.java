/** Nodes that run nothing: pods on them become ready, stay, and go when they are told to. */
@NullMarked
package io.evenkeel.hollow.node;

import org.jspecify.annotations.NullMarked;
