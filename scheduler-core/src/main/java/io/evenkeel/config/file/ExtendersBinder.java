package io.evenkeel.config.file;

import io.evenkeel.config.Extender;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The extenders; what they manage must be disjoint, and only one may bind. */
final class ExtendersBinder {
    private final Set<String> managed = new HashSet<>();

    private ExtendersBinder() {}

    static List<Extender> bind(MappingFields fields) {
        List<Extender> extenders = fields.mappings("extenders", new ExtendersBinder()::extender);
        long binders = extenders.stream()
                .filter(extender -> !extender.bindVerb().isEmpty())
                .count();
        if (binders > 1) {
            fields.error("extenders", "only one extender can bind, got " + binders + " with a bindVerb");
        }
        return extenders;
    }

    private Extender extender(MappingFields fields) {
        String prioritizeVerb = fields.string("prioritizeVerb", "");
        long weight = fields.int64("weight", fields.has("weight") ? 1 : 0, Range.INT64);
        if (!prioritizeVerb.isEmpty() && weight <= 0) {
            fields.error("weight", "must be greater than 0 where prioritizeVerb is set, got " + weight);
        }
        return new Extender(
                fields.string("urlPrefix", ""),
                fields.string("filterVerb", ""),
                fields.string("preemptVerb", ""),
                prioritizeVerb,
                weight,
                fields.string("bindVerb", ""),
                fields.bool("enableHTTPS", false),
                fields.mapping("tlsConfig", ExtendersBinder::tls),
                timeout(fields),
                fields.bool("nodeCacheCapable", false),
                fields.mappings("managedResources", this::managedResource),
                fields.bool("ignorable", false));
    }

    private static Duration timeout(MappingFields fields) {
        Duration timeout = fields.duration("httpTimeout", Duration.ZERO);
        return timeout.isZero() ? Extender.DEFAULT_HTTP_TIMEOUT : timeout;
    }

    private Extender.ManagedResource managedResource(MappingFields fields) {
        String name = fields.required("name");
        if (!name.isEmpty()) {
            NameRules.extendedResourceProblem(name).ifPresent(problem -> fields.error("name", problem));
            if (!managed.add(name)) {
                fields.error("name", "\"" + name + "\" is managed by an extender already");
            }
        }
        return new Extender.ManagedResource(name, fields.bool("ignoredByScheduler", false));
    }

    private static Extender.Tls tls(MappingFields fields) {
        return new Extender.Tls(
                fields.bool("insecure", false),
                fields.string("serverName", ""),
                fields.string("certFile", ""),
                fields.string("keyFile", ""),
                fields.string("caFile", ""),
                base64(fields, "certData"),
                base64(fields, "keyData"),
                base64(fields, "caData"));
    }

    private static String base64(MappingFields fields, String name) {
        String data = fields.string(name, "");
        try {
            // Go's decoder passes over line breaks, and keys are often written in several lines.
            Base64.getDecoder().decode(data.replaceAll("[\r\n]", ""));
        } catch (IllegalArgumentException e) {
            fields.error(name, "expected base64");
        }
        return data;
    }
}
