package io.evenkeel.app.cli.simulate;

import io.evenkeel.app.simulate.workload.Workload;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A workload and how many pods it is to have.
 *
 * @param namespace empty where none was named
 */
record ScaleOption(String namespace, String kind, String name, int replicas) {
    private static final Pattern FORM = Pattern.compile("(?:([a-z0-9-]+)/)?([A-Za-z.]+)/([a-z0-9.-]+)=([0-9]{1,9})");
    private static final int MOST = 200_000;
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("deploy", Workload.DEPLOYMENT),
            Map.entry("deployment", Workload.DEPLOYMENT),
            Map.entry("sts", Workload.STATEFUL_SET),
            Map.entry("statefulset", Workload.STATEFUL_SET),
            Map.entry("rs", Workload.REPLICA_SET),
            Map.entry("replicaset", Workload.REPLICA_SET),
            Map.entry("rc", Workload.REPLICATION_CONTROLLER),
            Map.entry("replicationcontroller", Workload.REPLICATION_CONTROLLER),
            Map.entry("job", Workload.JOB));

    /** In the namespace that is meant where none was named. */
    Workload in(String usual) {
        return new Workload(kind, namespace.isEmpty() ? usual : namespace, name);
    }

    /** Reads such an option. */
    static final class Converter implements ITypeConverter<ScaleOption> {
        @Override
        public ScaleOption convert(String value) {
            Matcher parts = FORM.matcher(value);
            if (!parts.matches()) {
                throw new TypeConversionException(
                        "expected [NAMESPACE/]KIND/NAME=REPLICAS, such as deploy/web=50, got \"" + value + '"');
            }
            String named = parts.group(2).toLowerCase(Locale.ROOT).replaceFirst("\\..*", "");
            String kind = KINDS.get(
                    named.endsWith("s") && !KINDS.containsKey(named) ? named.substring(0, named.length() - 1) : named);
            if (kind == null) {
                throw new TypeConversionException(
                        "\"" + parts.group(2) + "\" is nothing that can be scaled; deploy, sts, rs, rc and job are");
            }
            int replicas = Integer.parseInt(parts.group(4));
            if (replicas > MOST) {
                throw new TypeConversionException("at most " + MOST + " pods, got " + replicas);
            }
            String namespace = parts.group(1);
            return new ScaleOption(namespace == null ? "" : namespace, kind, parts.group(3), replicas);
        }
    }
}
