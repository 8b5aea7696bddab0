package io.evenkeel.lab.bench.suite;

import java.util.Map;

/**
 * A case as it stands in a file.
 *
 * @param figures by their names, those that the reader asked for
 */
public record StoredCase(CaseName name, Map<String, Double> figures) {
    public StoredCase {
        figures = Map.copyOf(figures);
    }

    public double figure(String field) {
        Double value = figures.get(field);
        if (value == null) {
            throw new IllegalArgumentException(field + " was not asked for");
        }
        return value;
    }
}
