/**
 * What comes from outside, as bytes that a fuzzer chooses: each target holds what must be true of any input, not only that
 * nothing is thrown. Inputs that once broke it are kept beside the class, and played with every build.
 */
@NullMarked
package io.evenkeel.fuzz;

import org.jspecify.annotations.NullMarked;
