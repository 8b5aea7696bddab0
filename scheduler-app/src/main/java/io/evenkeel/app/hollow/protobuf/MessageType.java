package io.evenkeel.app.hollow.protobuf;

import java.util.List;
import java.util.Map;

/**
 * A kind of message.
 *
 * @param fields by their names in JSON
 * @param inlined messages of their own whose fields JSON writes into this one
 */
record MessageType(Map<String, Field> fields, List<Field> inlined) {}
