package io.evenkeel.e2e.scene;

import io.evenkeel.e2e.cluster.ClusterKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One round of a class's tests for each kind of cluster. */
final class ClusterExtension implements ClassTemplateInvocationContextProvider {

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<Round> provideClassTemplateInvocationContexts(ExtensionContext context) {
        OnClusters wanted = context.getRequiredTestClass().getAnnotation(OnClusters.class);
        return Arrays.stream(wanted.value()).map(Round::new);
    }

    private record Round(ClusterKind kind) implements ClassTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return kind.name();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new ClusterRound(kind));
        }
    }
}
