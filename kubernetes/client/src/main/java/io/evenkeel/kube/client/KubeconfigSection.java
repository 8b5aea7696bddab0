package io.evenkeel.kube.client;

import io.evenkeel.file.FileContent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A mapping in a kubeconfig file. What is not of the kind that it should be is an error that names the file and the
 * field, and never counts as absent.
 *
 * @param path from the root, as in {@code users[jane].user}; empty for the root
 */
record KubeconfigSection(Path file, String path, Map<?, ?> fields) {

    /** Makes a problem that the user can mend, in one line. */
    ClientConfigurationException problem(String field, String what) {
        return new ClientConfigurationException("kubeconfig " + file + ": " + pathOf(field) + " " + what);
    }

    private String pathOf(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    /** Empty where it is absent or an empty string, which a kubeconfig does not tell apart. */
    Optional<String> string(String field) {
        return switch (fields.get(field)) {
            case null -> Optional.empty();
            case String text -> Optional.of(text).filter(value -> !value.isEmpty());
            default -> throw problem(field, "must be a string: put it in quotes");
        };
    }

    boolean truth(String field) {
        return switch (fields.get(field)) {
            case null -> false;
            case Boolean truth -> truth;
            default -> throw problem(field, "must be true or false");
        };
    }

    Optional<KubeconfigSection> section(String field) {
        return switch (fields.get(field)) {
            case null -> Optional.empty();
            case Map<?, ?> mapping -> Optional.of(new KubeconfigSection(file, pathOf(field), mapping));
            default -> throw problem(field, "must be a mapping");
        };
    }

    /** A list of mappings, which errors call by their names where they have any. */
    List<KubeconfigSection> sections(String field) {
        List<KubeconfigSection> sections = new ArrayList<>();
        for (Object element : list(field)) {
            if (!(element instanceof Map<?, ?> mapping)) {
                throw problem(field, "must be a list of mappings");
            }
            String place = mapping.get("name") instanceof String name ? name : String.valueOf(sections.size());
            sections.add(new KubeconfigSection(file, pathOf(field) + "[" + place + "]", mapping));
        }
        return sections;
    }

    List<String> strings(String field) {
        List<String> strings = new ArrayList<>();
        for (Object element : list(field)) {
            if (!(element instanceof String text)) {
                throw problem(field, "must be a list of strings");
            }
            strings.add(text);
        }
        return strings;
    }

    /** A mapping to lists of strings. */
    Map<String, List<String>> stringsByName(String field) {
        Map<String, List<String>> byName = new LinkedHashMap<>();
        section(field).ifPresent(mapping -> {
            for (Object key : mapping.fields().keySet()) {
                String name = String.valueOf(key);
                byName.put(name, mapping.strings(name));
            }
        });
        return byName;
    }

    private List<?> list(String field) {
        return switch (fields.get(field)) {
            case null -> List.of();
            case List<?> values -> values;
            default -> throw problem(field, "must be a list");
        };
    }

    /** A file that is named here, relative to this one. */
    Path resolve(String other) {
        return file.resolveSibling(other);
    }

    /** Reads {@code field-data} in base64, else the file that the field names. */
    Optional<byte[]> data(String field) {
        String inline = field + "-data";
        Optional<String> encoded = string(inline);
        if (encoded.isPresent()) {
            try {
                return Optional.of(Base64.getDecoder().decode(encoded.get().replaceAll("\\s", "")));
            } catch (IllegalArgumentException noBase64) {
                throw problem(inline, "is no base64");
            }
        }
        return string(field).map(place -> read(field, resolve(place)));
    }

    private byte[] read(String field, Path place) {
        try {
            return FileContent.bytes(place);
        } catch (IOException unreadable) {
            throw ClientConfigurationException.because(
                    "kubeconfig " + file + ": cannot read " + field + " " + place, unreadable);
        }
    }
}
