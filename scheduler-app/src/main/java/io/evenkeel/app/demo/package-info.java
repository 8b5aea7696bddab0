/**
 * {@code evenkeel demo}: the topology-spread stories of the Kubernetes documents, played through the engine in this
 * process. A story reads as a specification; what it draws and says comes from the engine's own state and answers.
 */
@NullMarked
package io.evenkeel.app.demo;

import org.jspecify.annotations.NullMarked;
