package io.evenkeel.app.http;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The flags that a component was started with, defaults included, by name. */
public final class FlagsPage implements Zpage.Content {
    private final SortedMap<String, String> values;

    public FlagsPage(Map<String, String> values) {
        this.values = new TreeMap<>(values);
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (flag, value) -> text.append(flag).append(": ").append(value).append('\n'));
        return text.toString();
    }

    @Override
    public Map<String, Object> fields() {
        return Map.of("flags", values);
    }
}
