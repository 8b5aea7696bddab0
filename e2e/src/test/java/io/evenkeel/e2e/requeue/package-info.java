/** Which changes bring a pod back that fitted nowhere. */
@NullMarked
package io.evenkeel.e2e.requeue;

import org.jspecify.annotations.NullMarked;
