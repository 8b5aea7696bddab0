/**
 * One command carried out: the requests that bind, look up or patch a pod, and what their answers mean.
 */
@NullMarked
package io.evenkeel.kube.dispatch.call;

import org.jspecify.annotations.NullMarked;
