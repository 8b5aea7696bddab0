/** What simulate says of a cluster, beside what happens when the same is done to it. */
@NullMarked
package io.evenkeel.e2e.simulate;

import org.jspecify.annotations.NullMarked;
