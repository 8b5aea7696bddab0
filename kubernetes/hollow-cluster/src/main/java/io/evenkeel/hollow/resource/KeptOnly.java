package io.evenkeel.hollow.resource;

import java.util.Map;
import java.util.Optional;

/** Kinds that a hollow cluster keeps and does nothing about, as the answer to a creation says. */
public final class KeptOnly {
    private static final String NOT_ENFORCED = "kept, and everybody may do everything all the same";
    private static final Map<String, String> WORDS = Map.of(
            "Role",
            NOT_ENFORCED,
            "RoleBinding",
            NOT_ENFORCED,
            "ClusterRole",
            NOT_ENFORCED,
            "ClusterRoleBinding",
            NOT_ENFORCED,
            "NetworkPolicy",
            "kept: there is no network to restrict",
            "DaemonSet",
            "kept, and no pods are made of it",
            "ReplicationController",
            "kept, and no pods are made of it",
            "ResourceClaimTemplate",
            "kept, and no claims are made of it");

    private KeptOnly() {}

    public static Optional<String> warning(ResourceType type) {
        return Optional.ofNullable(WORDS.get(type.kind()))
                .map(words -> "in a hollow cluster this " + type.kind() + " is " + words);
    }
}
