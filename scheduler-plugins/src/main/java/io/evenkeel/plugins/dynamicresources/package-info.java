/** Devices that pods claim: not there yet, but for what is said of pods that claim none, and of pods that claim some. */
@NullMarked
package io.evenkeel.plugins.dynamicresources;

import org.jspecify.annotations.NullMarked;
