package io.evenkeel.config;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Arguments of Coscheduling, as the out-of-tree plugin of this name takes them. None has an effect: no pod waits on a node for
 * others of its group, and groups have the backoff of their pods.
 */
public record CoschedulingArgs(
        OptionalLong permitWaitingTimeSeconds,
        OptionalLong podGroupBackoffSeconds,
        OptionalInt podGroupRejectPercentage)
        implements PluginArgs {

    public static CoschedulingArgs defaults() {
        return new CoschedulingArgs(OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());
    }

    @Override
    public List<String> fieldsWithoutEffect() {
        List<String> given = new ArrayList<>();
        permitWaitingTimeSeconds.ifPresent(_ -> given.add("permitWaitingTimeSeconds"));
        podGroupBackoffSeconds.ifPresent(_ -> given.add("podGroupBackoffSeconds"));
        podGroupRejectPercentage.ifPresent(_ -> given.add("podGroupRejectPercentage"));
        return given;
    }
}
