package io.evenkeel.model;

import java.util.Map;

/** What a {@code resources} field asks for, and how much may be used at most. */
record Resources(Map<String, Quantity> requests, Map<String, Quantity> limits) {}
