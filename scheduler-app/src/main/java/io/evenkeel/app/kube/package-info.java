/**
 * The way to the API server: watches in, commands out, leader election. The only package that knows client-java, and of
 * it only the transport; objects are read and written by our own readers and writers.
 */
@NullMarked
package io.evenkeel.app.kube;

import org.jspecify.annotations.NullMarked;
