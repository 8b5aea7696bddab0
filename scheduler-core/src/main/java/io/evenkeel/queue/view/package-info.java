/** What is told of the queue: the states that pods are in, their numbers, and each pod for dumps. */
@NullMarked
package io.evenkeel.queue.view;

import org.jspecify.annotations.NullMarked;
