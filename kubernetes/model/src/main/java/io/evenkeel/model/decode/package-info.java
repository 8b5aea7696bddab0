/**
 * Tables of fields, and the two small interpreters that read objects by them from JSON and from protobuf. Which fields
 * there are of what stands in {@code model.kind}; nothing here knows a kind.
 */
@NullMarked
package io.evenkeel.model.decode;

import org.jspecify.annotations.NullMarked;
