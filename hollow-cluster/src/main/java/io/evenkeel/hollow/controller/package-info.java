/** What kube-controller-manager does, as far as a scheduler's clusters need it. Nodes are elsewhere. */
@NullMarked
package io.evenkeel.hollow.controller;

import org.jspecify.annotations.NullMarked;
