/** Policies with their rules bound to the counts there are, and what each rule leaves to the next pod. */
@NullMarked
package io.evenkeel.policies.bound;

import org.jspecify.annotations.NullMarked;
