package io.evenkeel.config;

import io.evenkeel.model.value.NamedConstant;
import java.util.OptionalLong;

/**
 * Arguments of GroupPlacement, a plugin that kube-scheduler does not have.
 *
 * @param labelKey with the scope LABEL: pods of one namespace with the same value of it are a group; else empty
 * @param maxSteps how many placements may be tried for a group; empty for as many as its size and the cluster's suggest
 */
public record GroupPlacementArgs(Scope scope, String labelKey, OptionalLong maxSteps) implements PluginArgs {

    /** The property that makes pods a group. */
    public enum Scope implements NamedConstant {
        /** One controller, such as a ReplicaSet. */
        OWNER("Owner"),
        /** One value of a label. */
        LABEL("Label");

        private final String apiName;

        Scope(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public String apiName() {
            return apiName;
        }
    }

    public static GroupPlacementArgs defaults() {
        return new GroupPlacementArgs(Scope.OWNER, "", OptionalLong.empty());
    }
}
