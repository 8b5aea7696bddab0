/**
 * {@code /statusz} and {@code /flagz}: what a component is and how it was started, as every component of Kubernetes tells
 * it, for people as text and for programs as an object of config.k8s.io. Nothing here knows what it is told of.
 */
@NullMarked
package io.evenkeel.app.zpage;

import org.jspecify.annotations.NullMarked;
