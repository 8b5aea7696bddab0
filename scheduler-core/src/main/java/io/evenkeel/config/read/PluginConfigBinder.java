package io.evenkeel.config.read;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.args.ArgsKind;
import io.evenkeel.config.args.OpaqueArgs;
import io.evenkeel.config.args.PluginArgs;
import io.evenkeel.config.yaml.Cursor;
import io.evenkeel.config.yaml.MappingFields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The arguments that a profile gives to its plugins. */
final class PluginConfigBinder {
    private final Map<String, PluginArgs> args = new LinkedHashMap<>();

    private PluginConfigBinder() {}

    static Map<String, PluginArgs> bind(MappingFields profile) {
        PluginConfigBinder binder = new PluginConfigBinder();
        profile.mappings("pluginConfig", binder::entry);
        return binder.args;
    }

    private String entry(MappingFields fields) {
        String name = fields.required("name");
        PluginsBinder.refuseRemoved(name, fields);
        PluginArgs bound =
                ArgsKind.ofPlugin(name).map(kind -> known(kind, fields)).orElseGet(() -> opaque(name, fields));
        if (args.putIfAbsent(name, bound) != null) {
            fields.error("name", "\"" + name + "\" is configured twice");
        }
        return name;
    }

    private static PluginArgs known(ArgsKind kind, MappingFields fields) {
        return fields.mapping("args", args -> {
                    expect(args, "apiVersion", SchedulerConfiguration.API_VERSION);
                    expect(args, "kind", kind.kindName());
                    return ArgsBinder.bind(kind, args);
                })
                .orElse(kind.defaults());
    }

    /** Arguments may say what they are; then they must be what the plugin takes. */
    private static void expect(MappingFields args, String name, String expected) {
        if (!args.string(name, expected).equals(expected)) {
            args.get(name).ifPresent(value -> value.unexpected(expected));
        }
    }

    private static PluginArgs opaque(String pluginName, MappingFields fields) {
        Optional<Map<String, Object>> tree = fields.get("args").flatMap(Cursor::tree);
        tree.map(args -> args.get("kind"))
                .flatMap(ArgsKind::ofName)
                .ifPresent(kind -> fields.error(
                        "args",
                        "of kind " + kind.kindName() + " are those of " + kind.pluginName() + ", not of "
                                + pluginName));
        return new OpaqueArgs(tree.orElse(Map.of()));
    }
}
