package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;

/** PodGroups. Each counts the changes of its spec, and is created without a status. */
abstract sealed class GroupStrategy extends ReconciledStrategy {

    /** Of scheduling.k8s.io: a gang is of somebody, and its pods go one by one unless it says otherwise. */
    static final class Own extends GroupStrategy {
        private static final String POLICY = "spec.schedulingPolicy";

        @Override
        public void complete(JsonObject tree) {
            Trees.object(tree, "spec")
                    .filter(spec -> Trees.at(spec, "disruptionMode").isEmpty())
                    .ifPresent(spec -> {
                        JsonObject mode = new JsonObject();
                        mode.add("single", new JsonObject());
                        spec.add("disruptionMode", mode);
                    });
        }

        @Override
        public void validate(JsonObject tree, FieldErrors errors) {
            boolean basic =
                    Trees.object(tree, "spec", "schedulingPolicy", "basic").isPresent();
            boolean gang =
                    Trees.object(tree, "spec", "schedulingPolicy", "gang").isPresent();
            if (basic == gang) {
                errors.invalid(POLICY, "", "must specify exactly one of: `basic`, `gang`");
            } else if (gang) {
                String minCount = "minCount";
                atLeastOne(
                        tree, POLICY + ".gang." + minCount, "", errors, "spec", "schedulingPolicy", "gang", minCount);
            }
        }
    }

    /** Of scheduling.x-k8s.io, by the schema of its definition. */
    static final class Coscheduling extends GroupStrategy {
        @Override
        public void validate(JsonObject tree, FieldErrors errors) {
            if (Trees.at(tree, "spec", "minMember").isPresent()) {
                atLeastOne(tree, "spec.minMember", "spec.minMember in body should", errors, "spec", "minMember");
            }
        }
    }

    private static void atLeastOne(JsonObject tree, String field, String subject, FieldErrors errors, String... path) {
        long number = Trees.number(tree, path).orElse(0L);
        if (number < 1) {
            String what = subject.isEmpty() ? "must" : subject;
            errors.invalidLiteral(field, Long.toString(number), what + " be greater than or equal to 1");
        }
    }
}
