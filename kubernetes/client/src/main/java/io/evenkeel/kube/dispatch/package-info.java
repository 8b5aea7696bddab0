/**
 * The output to the API server: bindings, status patches, look-ups and events. {@code DispatchPlan} says what is sent and
 * when, and knows no thread and no server; {@code CommandCarrier} carries one command out; {@code Dispatcher} has the threads.
 * Decides nothing about pods; the outcome of a command goes back to the engine.
 */
@NullMarked
package io.evenkeel.kube.dispatch;

import org.jspecify.annotations.NullMarked;
