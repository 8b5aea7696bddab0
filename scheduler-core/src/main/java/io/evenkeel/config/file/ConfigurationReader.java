package io.evenkeel.config.file;

import io.evenkeel.config.Extender;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.problem.ConfigurationException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a KubeSchedulerConfiguration from YAML or JSON and completes it with the defaults. What kube-scheduler would
 * refuse is refused, in one {@link ConfigurationException} that names all errors with their places.
 */
public final class ConfigurationReader {
    /** By the version that Kubernetes no longer has: the changes since, beyond the version itself. */
    private static final Map<String, String> FORMER_VERSIONS = Map.of(
            "kubescheduler.config.k8s.io/v1beta3",
            "all fields of v1beta3 stay; leave out the plugin SelectorSpread, PodTopologySpread does its work",
            "kubescheduler.config.k8s.io/v1beta2",
            "leave out healthzBindAddress, metricsBindAddress and the plugin SelectorSpread, and mind the default weights:"
                    + " NodeAffinity and InterPodAffinity have 2 in place of 1, TaintToleration has 3");

    private static final Pattern PATH_AND_MESSAGE = Pattern.compile("(\\S+): (.*)", Pattern.DOTALL);

    /** Reads a text; {@code sourceName} stands in front of every error. */
    public SchedulerConfiguration read(String sourceName, String text) {
        ErrorLog errors = new ErrorLog(sourceName);
        Optional<Cursor> root = YamlText.parse(text, errors);
        Optional<SchedulerConfiguration> configuration =
                root.flatMap(document -> document.mapping(ConfigurationReader::bind));
        if (configuration.isEmpty() || !errors.isEmpty()) {
            throw new ConfigurationException(errors.lines());
        }
        return configuration.get();
    }

    private static SchedulerConfiguration bind(MappingFields fields) {
        SchedulerConfiguration defaults = SchedulerConfiguration.defaults();
        String former = FORMER_VERSIONS.getOrDefault(fields.string("apiVersion", ""), "");
        if (former.isEmpty()) {
            expect(fields, "apiVersion", SchedulerConfiguration.API_VERSION);
        } else {
            fields.error("apiVersion", "write " + SchedulerConfiguration.API_VERSION + ": " + former);
        }
        expect(fields, "kind", SchedulerConfiguration.KIND);

        long initialBackoff =
                fields.int64("podInitialBackoffSeconds", defaults.podInitialBackoffSeconds(), Range.int64From(1));
        // One error for an unreadable number is enough: it stands for one that passes the comparison.
        long maxFallback = fields.has("podMaxBackoffSeconds") ? Long.MAX_VALUE : defaults.podMaxBackoffSeconds();
        long maxBackoff = fields.int64("podMaxBackoffSeconds", maxFallback, Range.INT64);
        if (maxBackoff < initialBackoff) {
            fields.error(
                    "podMaxBackoffSeconds",
                    "must be at least podInitialBackoffSeconds, which is " + initialBackoff + ", got " + maxBackoff);
        }
        boolean profiling = fields.bool("enableProfiling", true);
        return new SchedulerConfiguration(
                fields.int32("parallelism", defaults.parallelism(), Range.int32From(1)),
                fields.mapping("leaderElection", ConfigurationReader::leaderElection)
                        .orElse(defaults.leaderElection()),
                fields.mapping("clientConnection", ConfigurationReader::clientConnection)
                        .orElse(defaults.clientConnection()),
                profiling,
                fields.bool("enableContentionProfiling", profiling),
                fields.int32("percentageOfNodesToScore", defaults.percentageOfNodesToScore(), Range.PERCENT),
                initialBackoff,
                maxBackoff,
                fields.bool("delayCacheUntilActive", false),
                profiles(fields, defaults),
                ExtendersBinder.bind(fields),
                fields.mapping("shards", ShardsBinder::bind).orElse(defaults.shards()),
                defaults.featureGates());
    }

    private static List<Profile> profiles(MappingFields fields, SchedulerConfiguration defaults) {
        List<Profile> profiles = ProfilesBinder.bind(fields);
        return profiles.isEmpty() ? defaults.profiles() : profiles;
    }

    private static void expect(MappingFields fields, String name, String expected) {
        if (!fields.has(name)) {
            fields.error(name, "is required: expected " + expected);
        } else if (!fields.string(name, expected).equals(expected)) {
            fields.get(name).ifPresent(value -> value.unexpected(expected));
        }
    }

    private static ClientConnection clientConnection(MappingFields fields) {
        ClientConnection defaults = ClientConnection.defaults();
        double qps = fields.number("qps", 0);
        if (Math.abs(qps) > Float.MAX_VALUE) {
            fields.error("qps", "must fit a float of 32 bits, got " + qps);
        }
        int burst = fields.int32("burst", 0, Range.int32From(0));
        return new ClientConnection(
                fields.string("kubeconfig", defaults.kubeconfig()),
                fields.string("acceptContentTypes", defaults.acceptContentTypes()),
                fields.nonEmpty("contentType", defaults.contentType()),
                qps == 0 ? defaults.qps() : (float) qps,
                burst == 0 ? defaults.burst() : burst);
    }

    private static LeaderElection leaderElection(MappingFields fields) {
        LeaderElection defaults = LeaderElection.defaults();
        LeaderElection election = new LeaderElection(
                fields.bool("leaderElect", defaults.leaderElect()),
                duration(fields, "leaseDuration", defaults.leaseDuration()),
                duration(fields, "renewDeadline", defaults.renewDeadline()),
                duration(fields, "retryPeriod", defaults.retryPeriod()),
                fields.nonEmpty("resourceLock", defaults.resourceLock()),
                fields.nonEmpty("resourceName", defaults.resourceName()),
                fields.nonEmpty("resourceNamespace", defaults.resourceNamespace()));
        ElectionCheck.problems(election, UnaryOperator.identity())
                .forEach(problem -> fields.error(problem.field(), problem.message()));
        return election;
    }

    private static Duration duration(MappingFields fields, String name, Duration fallback) {
        Duration duration = fields.duration(name, fallback);
        return duration.isZero() ? fallback : duration;
    }

    /**
     * Errors that are found after reading, when plugins are checked, with line and column as the reader's own, in the order of the file.
     *
     * @param errors each the path of a field, a colon and the message; a list's element may stand in the path by its name,
     *     as in {@code profiles[0].plugins.score.enabled[NodeAffinity].name}
     */
    public static List<String> placed(String sourceName, String text, List<String> errors) {
        ErrorLog placed = new ErrorLog(sourceName);
        Optional<Cursor> document = YamlText.parse(text, placed);
        for (String error : errors) {
            Matcher parts = PATH_AND_MESSAGE.matcher(error);
            document.ifPresent(root -> {
                if (parts.matches()) {
                    root.errorAt(parts.group(1), parts.group(2));
                } else {
                    root.error(error);
                }
            });
        }
        return placed.lines();
    }

    /** How nodes are parted: by their names, or by a label. */
    static final class ShardsBinder {
        static final String PLACE = "Place";
        static final String REFUSE = "Refuse";

        private ShardsBinder() {}

        static ShardSettings bind(MappingFields fields) {
            int count = fields.int32("count", 1, new Range(1, ShardSettings.MOST_SHARDS));
            boolean refuses =
                    fields.oneOf("across", Map.of(PLACE, false, REFUSE, true)).orElse(false);
            if (!fields.has("nodeLabel") && !fields.has("values")) {
                if (!fields.has("count")) {
                    fields.error("expected a count, or a nodeLabel and values");
                }
                return new ShardSettings("", List.of(), count, refuses);
            }
            if (fields.has("count")) {
                fields.error("count", "must not stand beside nodeLabel and values: they say how many shards there are");
            }
            String label = fields.required("nodeLabel");
            if (!label.isEmpty()) {
                NameRules.qualifiedNameProblem(label).ifPresent(problem -> fields.error("nodeLabel", problem));
            }
            return new ShardSettings(label, values(fields), 1, refuses);
        }

        private static List<String> values(MappingFields fields) {
            Set<String> before = new HashSet<>();
            List<String> values = fields.list("values", element -> {
                Optional<String> value = element.string();
                value.flatMap(NameRules::labelValueProblem).ifPresent(element::error);
                value.filter(text -> !before.add(text))
                        .ifPresent(text -> element.error("\"" + text + "\" is given already"));
                return value;
            });
            int size = fields.size("values");
            if (!fields.has("values")) {
                fields.error("values", "is required");
            } else if (size < 1 || size > ShardSettings.MOST_VALUES) {
                fields.error("values", "expected 1 to " + ShardSettings.MOST_VALUES + " values, got " + size);
            }
            return values;
        }
    }

    /** The extenders; what they manage must be disjoint, and only one may bind. */
    static final class ExtendersBinder {
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
}
