package io.evenkeel.model;

import java.util.Map;

/** What a watch reads of an object that is no object but a bookmark. */
public record WireHeader(String resourceVersion, Map<String, String> annotations) {}
