/**
 * HTTP/1.1 on sockets: connections and how long they may take, requests as bytes, answers as bytes. Knows neither paths nor
 * who may read them.
 */
@NullMarked
package io.evenkeel.app.http.wire;

import org.jspecify.annotations.NullMarked;
