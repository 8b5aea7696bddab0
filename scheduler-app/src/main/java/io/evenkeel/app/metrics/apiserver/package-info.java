/**
 * Metrics of the traffic with the API server: requests, commands of the dispatcher, watches.
 */
@NullMarked
package io.evenkeel.app.metrics.apiserver;

import org.jspecify.annotations.NullMarked;
