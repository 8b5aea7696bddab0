/** How objects, lists and watch events become bytes, as JSON or protobuf. A further format implements Encoding. */
@NullMarked
package io.evenkeel.hollow.encoding;

import org.jspecify.annotations.NullMarked;
