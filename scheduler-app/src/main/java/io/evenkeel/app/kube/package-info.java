/**
 * The way to the API server: watches in, commands out, leader election. How requests travel is {@code client}'s affair,
 * which alone knows client-java; objects are read and written by our own readers and writers.
 */
@NullMarked
package io.evenkeel.app.kube;

import org.jspecify.annotations.NullMarked;
