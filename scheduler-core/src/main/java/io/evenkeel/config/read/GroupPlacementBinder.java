package io.evenkeel.config.read;

import io.evenkeel.config.args.GroupPlacementArgs;
import io.evenkeel.config.args.GroupPlacementArgs.Scope;
import io.evenkeel.config.yaml.MappingFields;
import io.evenkeel.config.yaml.Range;
import io.evenkeel.model.value.NamedConstant;
import java.util.OptionalLong;

/** Arguments of GroupPlacement. */
final class GroupPlacementBinder {
    private GroupPlacementBinder() {}

    static GroupPlacementArgs args(MappingFields fields) {
        Scope scope = fields.oneOf("scope", NamedConstant.byName(Scope.class)).orElse(Scope.OWNER);
        String labelKey = scope == Scope.LABEL ? fields.required("labelKey") : fields.string("labelKey", "");
        if (scope == Scope.OWNER && !labelKey.isEmpty()) {
            fields.error("labelKey", "must be absent: it is for the scope \"Label\" alone");
        } else if (!labelKey.isEmpty()) {
            NameRules.qualifiedNameProblem(labelKey).ifPresent(problem -> fields.error("labelKey", problem));
        }
        OptionalLong maxSteps = fields.has("maxSteps")
                ? OptionalLong.of(fields.int64("maxSteps", 1, Range.int64From(1)))
                : OptionalLong.empty();
        return new GroupPlacementArgs(scope, labelKey, maxSteps);
    }
}
