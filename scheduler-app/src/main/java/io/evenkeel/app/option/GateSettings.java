package io.evenkeel.app.option;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Feature gates as they are given to components of Kubernetes: {@code A=true,B=false}, a name may have
 * {@code kube:} in front. Names are not checked here.
 */
public record GateSettings(Map<String, Boolean> values) {
    private static final String COMPONENT = "kube";

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining(","));
    }

    /** Reads such settings. */
    public static final class Converter implements ITypeConverter<GateSettings> {
        @Override
        public GateSettings convert(String value) {
            Map<String, Boolean> values = new LinkedHashMap<>();
            for (String setting : value.split(",", -1)) {
                if (!setting.isBlank()) {
                    read(setting.strip(), values);
                }
            }
            return new GateSettings(values);
        }

        private static void read(String setting, Map<String, Boolean> values) {
            int equals = setting.indexOf('=');
            if (equals < 0) {
                throw new TypeConversionException("missing bool value for " + setting);
            }
            String given = setting.substring(equals + 1).strip();
            boolean value = GoBool.parse(given)
                    .orElseThrow(() ->
                            new TypeConversionException("invalid value of " + setting + ", expected true or false"));
            values.put(gate(setting.substring(0, equals).strip()), value);
        }

        private static String gate(String name) {
            int colon = name.indexOf(':');
            if (colon >= 0 && !name.substring(0, colon).equals(COMPONENT)) {
                throw new TypeConversionException("component not registered: " + name.substring(0, colon));
            }
            return name.substring(colon + 1);
        }
    }
}
