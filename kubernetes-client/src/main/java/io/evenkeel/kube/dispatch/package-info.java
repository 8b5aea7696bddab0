/**
 * What goes out to the API server: bindings, status patches, look-ups and events, in turns and no faster than the
 * server is meant to be asked. Decides nothing about pods; what became of a command goes back to the engine.
 */
@NullMarked
package io.evenkeel.kube.dispatch;

import org.jspecify.annotations.NullMarked;
