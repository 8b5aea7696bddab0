/** Devices that pods claim: who has which, and which a claim can have on a node. */
@NullMarked
package io.evenkeel.plugins.devices;

import org.jspecify.annotations.NullMarked;
