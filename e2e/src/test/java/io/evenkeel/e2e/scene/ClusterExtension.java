package io.evenkeel.e2e.scene;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.e2e.cluster.ClusterKind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One round of a class's tests for each kind of cluster, and for each level where they may differ. */
final class ClusterExtension implements ClassTemplateInvocationContextProvider {

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<Round> provideClassTemplateInvocationContexts(ExtensionContext context) {
        OnClusters wanted = context.getRequiredTestClass().getAnnotation(OnClusters.class);
        Set<CompatibilityLevel> levels =
                wanted.atEachLevel() ? EnumSet.allOf(CompatibilityLevel.class) : EnumSet.of(CompatibilityLevel.FIRST);
        return Arrays.stream(wanted.value()).flatMap(kind -> levels.stream().map(level -> new Round(kind, level)));
    }

    private record Round(ClusterKind kind, CompatibilityLevel level) implements ClassTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return kind + " " + level;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new ClusterRound(kind, level));
        }
    }
}
