/** What is told of the queue: the states that pods are in, their numbers, each pod for dumps, and who waits by groups. */
@NullMarked
package io.evenkeel.queue.view;

import org.jspecify.annotations.NullMarked;
