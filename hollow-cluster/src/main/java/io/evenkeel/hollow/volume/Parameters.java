package io.evenkeel.hollow.volume;

import io.evenkeel.hollow.volume.Topology.Kind;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the provisioner understands of a StorageClass's parameters; those of real drivers it leaves alone.
 *
 * @param topology from where its volumes can be reached
 * @param delay how long it takes to make one
 * @param failures attempts to make a claim's volume that fail before one works
 */
record Parameters(Kind topology, Duration delay, int failures) {

    private static final Pattern TIME = Pattern.compile("([0-9]{1,6})(ms|s|m)");
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,6}");

    static Parameters of(StorageClass storageClass) throws ProvisioningFailure {
        return new Parameters(
                Kind.of(storageClass.parameter("topology")),
                delay(storageClass.parameter("delay")),
                failures(storageClass.parameter("failures")));
    }

    private static Duration delay(String text) throws ProvisioningFailure {
        if (text.isEmpty()) {
            return Duration.ZERO;
        }
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw new ProvisioningFailure(
                    "the parameter delay is '%s', not a time such as 500ms or 2s".formatted(text));
        }
        long amount = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            default -> Duration.ofMinutes(amount);
        };
    }

    private static int failures(String text) throws ProvisioningFailure {
        if (text.isEmpty()) {
            return 0;
        }
        if (!COUNT.matcher(text).matches()) {
            throw new ProvisioningFailure("the parameter failures is '%s', not a number".formatted(text));
        }
        return Integer.parseInt(text);
    }
}
