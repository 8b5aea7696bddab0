package io.evenkeel.app.dump;

import io.evenkeel.model.Annotations;
import io.evenkeel.plugins.volumes.DiskZones;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** What stands in the place of a text, by where the text stands: in a field, as a key, or as the value of one. */
final class Replacements {
    /** Fields that name a label, a resource's like or a driver: Kubernetes' own stay. */
    private static final Set<String> KEYS = Set.of(
            "key",
            "topologyKey",
            "topologyKeys",
            "matchLabelKeys",
            "mismatchLabelKeys",
            "provisioner",
            "attacher",
            "driver");

    private final Pseudonyms words;

    Replacements(Pseudonyms words) {
        this.words = words;
    }

    String text(String field, String text) {
        if (Constants.areOf(field, text)) {
            return text;
        }
        return switch (field) {
            case "message" -> "";
            case "apiVersion" -> WellKnown.isOfKubernetes(text) ? text : words.of(text);
            case "resourceVersion" -> text.matches("[0-9]*") ? text : words.of(text);
            case "schedulerName" -> words.of(text);
            default -> KEYS.contains(field) ? key(text) : name(text);
        };
    }

    String name(String name) {
        return WellKnown.isName(name) || WellKnown.isDriver(name) ? name : words.of(name);
    }

    /** What stays of a key that is not known is what it is read by. */
    String key(String key) {
        if (WellKnown.isKey(key)) {
            return key;
        }
        WellKnown.Part known = WellKnown.partOf(key);
        return words.of(key.substring(0, known.begin()))
                + key.substring(known.begin(), known.end())
                + words.of(key.substring(known.end()));
    }

    /** Of some keys a value is a choice of known words, or a list; all others are names. */
    String valueOf(String key, String value) {
        return switch (key) {
            case Annotations.MIGRATED_PLUGINS ->
                Arrays.stream(value.split(",", -1)).map(this::key).collect(Collectors.joining(","));
            case Annotations.GROUP_PLACEMENT -> WellKnown.isGroupPlacement(value) ? value : name(value);
            case DiskZones.ZONE, DiskZones.REGION, DiskZones.BETA_ZONE, DiskZones.BETA_REGION ->
                Arrays.stream(value.split(DiskZones.BETWEEN_ZONES, -1))
                        .map(this::name)
                        .collect(Collectors.joining(DiskZones.BETWEEN_ZONES));
            default -> name(value);
        };
    }
}
