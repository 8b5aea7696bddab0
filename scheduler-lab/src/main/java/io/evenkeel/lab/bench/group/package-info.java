/** Groups of pods that are placed together: how long it takes to find where they go, and to decide each of them there. */
@NullMarked
package io.evenkeel.lab.bench.group;

import org.jspecify.annotations.NullMarked;
