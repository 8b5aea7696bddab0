/**
 * What the scheduler serves over HTTP: health, metrics, its configuration and dumps. Who asks is known by
 * certificate or token; who may read what is asked of the API server. Knows nothing of the engine; what is to be shown is handed in.
 */
@NullMarked
package io.evenkeel.app.http;

import org.jspecify.annotations.NullMarked;
