package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.kind.NameRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Names of objects: checked, or made from generateName. */
public final class ObjectNames {

    /** Without vowels and look-alikes, so that no words come out. */
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX = 5;
    private static final int LONGEST_PREFIX = 58;

    private ObjectNames() {}

    public static String randomLetters(int count) {
        StringBuilder letters = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            letters.append(LETTERS.charAt(ThreadLocalRandom.current().nextInt(LETTERS.length())));
        }
        return letters.toString();
    }

    /** The name given or generated; empty if there is neither. */
    static String of(JsonObject metadata) {
        String name = Trees.text(metadata, "name");
        String prefix = Trees.text(metadata, "generateName");
        if (!name.isEmpty() || prefix.isEmpty()) {
            return name;
        }
        return prefix.substring(0, Math.min(prefix.length(), LONGEST_PREFIX)) + randomLetters(SUFFIX);
    }

    static void check(ResourceType type, String name, FieldErrors errors) {
        if (name.isEmpty()) {
            errors.required("metadata.name", "name or generateName is required");
        } else if (type.group().equals(ResourceTable.RBAC)) {
            checkSegment(name, errors);
        } else {
            NameRules.subdomain("metadata.name", name, errors);
        }
    }

    /** Roles may have any name that a path can end with, such as {@code system:node}. */
    private static void checkSegment(String name, FieldErrors errors) {
        if (name.equals(".") || name.equals("..")) {
            errors.invalid("metadata.name", name, "may not be '" + name + "'");
        }
        for (String separator : List.of("/", "%")) {
            if (name.contains(separator)) {
                errors.invalid("metadata.name", name, "may not contain '" + separator + "'");
            }
        }
    }
}
