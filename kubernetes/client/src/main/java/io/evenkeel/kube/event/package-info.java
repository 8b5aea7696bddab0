/** Events for users to read, as events.k8s.io has them: how they are written, and how repeats are folded into series. */
@NullMarked
package io.evenkeel.kube.event;

import org.jspecify.annotations.NullMarked;
