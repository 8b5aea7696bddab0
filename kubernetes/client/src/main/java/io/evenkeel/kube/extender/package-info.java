/**
 * Extenders: web services that take part in scheduling. What they are asked and what they answer, over HTTP, on threads
 * that may wait for it.
 */
@NullMarked
package io.evenkeel.kube.extender;

import org.jspecify.annotations.NullMarked;
