/** Rules about single fields that several kinds have. */
@NullMarked
package io.evenkeel.hollow.kind.field;

import org.jspecify.annotations.NullMarked;
