/**
 * HTTP/2 for the many small calls of a scheduler: what several threads have to say at a time goes out in one packet. Of
 * the protocol it has what calls need, after RFC 9113 (frames, streams, windows) and RFC 7541 (headers).
 */
@NullMarked
package io.evenkeel.kube.client.http2;

import org.jspecify.annotations.NullMarked;
