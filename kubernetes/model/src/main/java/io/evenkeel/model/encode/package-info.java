/**
 * The two encodings as they are written: values, lists, maps and messages one after the other, to JSON or to protobuf.
 * Which fields an object has stands in {@code model.kind}; nothing here knows a kind.
 */
@NullMarked
package io.evenkeel.model.encode;

import org.jspecify.annotations.NullMarked;
