/**
 * A request to the API server and its answer: what all requests have in common, how times are
 * written, how a refusal is read, and what users read of it as events. How requests travel is {@code client}'s affair. And the
 * {@code Machine} that the process runs on: time, chance and threads, which a simulation may stand in for.
 */
@NullMarked
package io.evenkeel.kube.api;

import org.jspecify.annotations.NullMarked;
