/**
 * The output to the API server, as threads that carry out what {@code plan} lets go: bindings, status patches, look-ups and
 * events. Decides nothing about pods; the outcome of a command goes back to the engine.
 */
@NullMarked
package io.evenkeel.kube.dispatch;

import org.jspecify.annotations.NullMarked;
