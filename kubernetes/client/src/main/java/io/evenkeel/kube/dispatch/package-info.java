/**
 * What goes out to the API server, as threads that carry what {@code plan} lets go: bindings, status patches, look-ups and
 * events. Decides nothing about pods; what became of a command goes back to the engine.
 */
@NullMarked
package io.evenkeel.kube.dispatch;

import org.jspecify.annotations.NullMarked;
