package io.evenkeel.config.read;

import io.evenkeel.config.args.CoschedulingArgs;
import io.evenkeel.config.yaml.MappingFields;
import io.evenkeel.config.yaml.Range;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Arguments of Coscheduling. */
final class CoschedulingBinder {
    private CoschedulingBinder() {}

    static CoschedulingArgs args(MappingFields fields) {
        return new CoschedulingArgs(
                seconds("permitWaitingTimeSeconds", fields),
                seconds("podGroupBackoffSeconds", fields),
                fields.has("podGroupRejectPercentage")
                        ? OptionalInt.of(fields.int32("podGroupRejectPercentage", 0, Range.PERCENT))
                        : OptionalInt.empty());
    }

    private static OptionalLong seconds(String name, MappingFields fields) {
        return fields.has(name) ? OptionalLong.of(fields.int64(name, 0, Range.int64From(0))) : OptionalLong.empty();
    }
}
