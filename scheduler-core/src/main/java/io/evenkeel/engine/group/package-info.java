/**
 * What the engine asks of pods that are placed together: a service, by which the module that places them is found, and what the two
 * tell each other. Without such a module each pod is decided by itself.
 */
@NullMarked
package io.evenkeel.engine.group;

import org.jspecify.annotations.NullMarked;
