/**
 * A request to the API server and its answer: what all requests have in common, how JSON and times are
 * written, how a refusal is read. How requests travel is {@code client}'s affair, which alone knows client-java.
 */
@NullMarked
package io.evenkeel.kube.api;

import org.jspecify.annotations.NullMarked;
