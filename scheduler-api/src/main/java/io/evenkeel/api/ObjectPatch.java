package io.evenkeel.api;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.kind.Kind;
import java.util.Map;

/**
 * A change of an object as a JSON merge patch. It is made only if the object is as it was: the server refuses where somebody
 * else has changed it since.
 *
 * @param object as it was read
 * @param changes of its fields: strings, and maps of such
 * @since 0.1
 */
public record ObjectPatch(Kind<?> kind, ObjectMeta object, Map<String, Object> changes) {}
