/**
 * A small HTTP server: routes, replies, health checks, and the access control that each request passes. Knows neither
 * users nor certificates nor what is shown; all of that is handed in.
 */
@NullMarked
package io.evenkeel.app.http;

import org.jspecify.annotations.NullMarked;
