package io.evenkeel.app.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One clause of an Accept header, such as {@code application/json;g=config.k8s.io;v=v1beta1;as=Statusz;q=0.9}.
 *
 * @param name type and subtype, asterisks for any
 * @param quality how much it is wanted
 */
record MediaType(String name, Map<String, String> parameters, double quality) {

    /** Most wanted first. */
    static List<MediaType> accepted(String header) {
        List<MediaType> types = new ArrayList<>();
        for (String clause : header.split(",", -1)) {
            if (!clause.isBlank()) {
                types.add(parse(clause));
            }
        }
        types.sort(Comparator.comparingDouble(MediaType::quality).reversed());
        return types;
    }

    private static MediaType parse(String clause) {
        String[] parts = clause.split(";", -1);
        Map<String, String> parameters = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            parameters.put(pair[0].strip(), pair.length == 2 ? pair[1].strip() : "");
        }
        return new MediaType(parts[0].strip().toLowerCase(Locale.ROOT), parameters, qualityOf(parameters.remove("q")));
    }

    private static double qualityOf(@Nullable String text) {
        try {
            return text == null ? 1 : Double.parseDouble(text);
        } catch (NumberFormatException nonsense) {
            return 1;
        }
    }

    boolean includes(String type) {
        return name.equals("*/*")
                || name.equals(type)
                || (name.endsWith("/*") && type.startsWith(name.substring(0, name.length() - 1)));
    }

    String parameter(String key) {
        return parameters.getOrDefault(key, "");
    }
}
