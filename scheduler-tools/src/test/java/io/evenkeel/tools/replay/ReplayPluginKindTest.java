package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.StepAudit;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Objects of a kind that a plugin brings are read where a profile of the scenario has the plugin. */
class ReplayPluginKindTest {

    /** A quota lets no pod into its namespace while it is used up. */
    record Quota(ObjectMeta meta, boolean usedUp) implements PluginObject {
        @Override
        public String kindName() {
            return "Quota";
        }
    }

    private static final Kind<Quota> QUOTA =
            new Kind<>("Quota", "quotas.example.com", "v1", "quotas", true, Quota.class, Message.ofObject(fields -> {
                var usedUp = fields.bool("usedUp", 2, false);
                return read -> new Quota(read.get(Metadata.FIELD), read.get(usedUp));
            }));

    record Quotas(ClusterView cluster) implements FilterPlugin {
        @Override
        public String name() {
            return "Quotas";
        }

        @Override
        public Set<Kind<?>> reads() {
            return Set.of(QUOTA);
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            return cluster.objects().all(QUOTA).stream().anyMatch(Quota::usedUp)
                    ? Status.unschedulable("the quota is used up")
                    : Status.SUCCESS;
        }
    }

    private static final PluginRegistry REGISTRY = InTreePlugins.registry()
            .with(List.of(TreeContext.factory("Quotas", Quotas.class, context -> new Quotas(context.cluster()))));

    /** The configuration comes behind the objects, which only it says how to read. */
    private static final String WITH_THE_PLUGIN = """
        ,"config":{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
         "profiles":[{"plugins":{"filter":{"enabled":[{"name":"Quotas"}]}}}]}}
        """;

    private final List<String> problems = new ArrayList<>();

    @Test
    void itIsReadByThePluginsTable() {
        assertThat(answer("true", WITH_THE_PLUGIN)).contains("0/1 nodes are available: 1 the quota is used up.");
        assertThat(answer("false", WITH_THE_PLUGIN)).contains("\"node\":\"n\"");
        assertThat(problems).isEmpty();
    }

    @Test
    void whatIsWrongInItIsAProblemOfItsLine() {
        answer("7", WITH_THE_PLUGIN);

        assertThat(problems)
                .containsExactly(
                        "standard input:1: objects[1]: Quota default/q: usedUp: expected true or false, got 7");
    }

    @Test
    void withoutThePluginThatItIsPassedOverIsSaid() {
        assertThat(answer("true", "}")).contains("\"node\":\"n\"");
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith(
                        "standard input:1: warning: objects[1].kind: objects of kind \"Quota\" of quotas.example.com"
                                + " are passed over");
    }

    private String answer(String usedUp, String rest) {
        StringWriter out = new StringWriter();
        String scenario = """
            {"objects":[
             {"kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"cpu":"4","pods":"9"}}},
             {"apiVersion":"quotas.example.com/v1","kind":"Quota","metadata":{"name":"q"},"usedUp":%s}],
             "pods":[{"metadata":{"name":"p"}}]
            """.formatted(usedUp) + rest;
        Replay.placing(REGISTRY, StepAudit.EACH, FeatureGates.DEFAULTS, Output.JSON.within(80))
                .run(
                        ScenarioSource.standardInput(new ByteArrayInputStream(
                                scenario.replace("\n", "").getBytes(StandardCharsets.UTF_8))),
                        new PrintWriter(out),
                        problems::add);
        return out.toString();
    }
}
