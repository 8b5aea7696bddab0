/**
 * The kinds, and what is read of each: a table of fields a message, a row a kind. One more kind is a record in {@code model}, its
 * table here and its row in {@link io.evenkeel.model.kind.Kinds}.
 */
@NullMarked
package io.evenkeel.model.kind;

import org.jspecify.annotations.NullMarked;
