/**
 * The engine: takes events in, decides where pods go, and says what is to be done. It does no I/O, reads no clock and
 * draws no random numbers but those handed in, so the same events always lead to the same decisions.
 */
@NullMarked
package io.evenkeel.engine;

import org.jspecify.annotations.NullMarked;
