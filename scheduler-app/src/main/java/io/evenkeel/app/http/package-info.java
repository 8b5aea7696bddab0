/**
 * A small HTTP server: routes, replies, health checks, the access control that each request passes, and the pages
 * {@code /statusz} and {@code /flagz}. Knows neither users nor certificates; both are handed in.
 */
@NullMarked
package io.evenkeel.app.http;

import org.jspecify.annotations.NullMarked;
