/**
 * Cursors over one object's JSON and protobuf, and what reads of them share: strings, what bytes were decoded to, and problems
 * with their places. Knows no tables.
 */
@NullMarked
package io.evenkeel.model.decode.cursor;

import org.jspecify.annotations.NullMarked;
