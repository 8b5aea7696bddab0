/**
 * A small HTTP/1.1 server on sockets: connections and how long they may take, requests and answers as bytes, routes, health
 * checks, the access control that each request passes, and the pages {@code /statusz} and {@code /flagz}. Knows neither
 * users nor certificates; both are handed in.
 */
@NullMarked
package io.evenkeel.app.http;

import org.jspecify.annotations.NullMarked;
