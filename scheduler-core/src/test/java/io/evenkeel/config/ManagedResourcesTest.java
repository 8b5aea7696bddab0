package io.evenkeel.config;

import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.file.ConfigurationReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Resources that extenders manage: whom they are asked about, and what NodeResourcesFit passes over. */
class ManagedResourcesTest {
    private static final String GPU = "example.com/gpu";

    private static SchedulerConfiguration with(String extenders) {
        return new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - schedulerName: a
              pluginConfig:
              - name: NodeResourcesFit
                args: {ignoredResources: [example.com/own], ignoredResourceGroups: [example.org]}
            - schedulerName: b
            extenders:
            """ + extenders);
    }

    @Test
    void thoseThatTheSchedulerIsToIgnoreTakeThePlaceOfAllOthersInAllProfiles() {
        List<Profile> profiles = with("""
            - {urlPrefix: http://a, managedResources: [{name: example.com/fpga}]}
            - {urlPrefix: http://b, managedResources: [{name: example.com/gpu, ignoredByScheduler: true}]}
            """).effectiveProfiles();

        assertThat(profiles).allSatisfy(profile -> assertThat(ignored(profile)).containsExactly(GPU));
        assertThat(fit(profiles.getFirst()).ignoredResourceGroups()).containsExactly("example.org");
    }

    @Test
    void whereThereAreNoneTheConfigurationsOwnAreIgnored() {
        List<Profile> profiles = with("- {urlPrefix: http://a, managedResources: [{name: example.com/gpu}]}")
                .effectiveProfiles();

        assertThat(ignored(profiles.getFirst())).containsExactly("example.com/own");
    }

    private static List<String> ignored(Profile profile) {
        return fit(profile).ignoredResources();
    }

    private static NodeResourcesFitArgs fit(Profile profile) {
        return (NodeResourcesFitArgs) profile.argsOf("NodeResourcesFit").orElseThrow();
    }

    @Test
    void anExtenderIsAskedAboutPodsThatRequestOneInAnyContainer() {
        SchedulerConfiguration ofGpus = with(
                "- {urlPrefix: http://a, filterVerb: f, bindVerb: b, managedResources: [{name: %s}]}".formatted(GPU));

        assertThat(List.of(
                        pod("none").container("cpu", "1").build(),
                        pod("main").container("cpu", "1").container(GPU, "1").build(),
                        pod("init").initContainer(GPU, "1").build()))
                .extracting(ofGpus::needsExtenders)
                .containsExactly(false, true, true);
        assertThat(ofGpus.isBoundByExtender(pod("main").container(GPU, "1").build()))
                .isTrue();
    }

    @Test
    void withoutResourcesItIsAskedAboutAllPodsForWhatItHasVerbs() {
        SchedulerConfiguration binds = with("- {urlPrefix: http://a, bindVerb: b}");

        assertThat(binds.needsExtenders(pod("p").build())).isFalse();
        assertThat(binds.isBoundByExtender(pod("p").build())).isTrue();
        assertThat(with("- {urlPrefix: http://a, prioritizeVerb: p, weight: 1}").needsExtenders(pod("p").build()))
                .isTrue();
    }
}
