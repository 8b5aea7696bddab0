package io.evenkeel.e2e.scene;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.e2e.cluster.Cluster;
import io.evenkeel.e2e.cluster.ClusterKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A class's tests on one cluster: opened for the first test that runs, closed after the last. A scene for each test. */
final class ClusterRound implements ExecutionCondition, ParameterResolver, AfterClassTemplateInvocationCallback {
    private static final Namespace OURS = Namespace.create(ClusterRound.class);

    private final ClusterKind kind;
    private final CompatibilityLevel level;
    private @Nullable Cluster own;

    ClusterRound(ClusterKind kind, CompatibilityLevel level) {
        this.kind = kind;
        this.level = level;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<String> obstacle = kind.obstacle();
        return obstacle.map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("there is such a cluster"));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Scene.class;
    }

    @Override
    public Scene resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // the store closes it after the test, whatever becomes of that
        return context.getStore(OURS)
                .computeIfAbsent(Scene.class, any -> Scene.open(cluster(context), level), Scene.class);
    }

    private Cluster cluster(ExtensionContext context) {
        if (kind.isShared()) {
            return context.getRoot().getStore(OURS).computeIfAbsent(kind, any -> any.open(level), Cluster.class);
        }
        Cluster open = own;
        if (open == null) {
            open = kind.open(level);
            own = open;
        }
        return open;
    }

    @Override
    public void afterClassTemplateInvocation(ExtensionContext context) {
        if (own != null) {
            own.close();
        }
    }
}
