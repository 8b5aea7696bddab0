/** How objects, lists and watch events become bytes: JSON, protobuf, or tables as kubectl shows them. */
@NullMarked
package io.evenkeel.hollow.encoding;

import org.jspecify.annotations.NullMarked;
