/** Whole objects written in either encoding, with no more than is read of them: what is written reads as an equal record. */
@NullMarked
package io.evenkeel.model.write;

import org.jspecify.annotations.NullMarked;
