package io.evenkeel.e2e.requeue;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotated;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@OnClusters(atEachLevel = true)
@Rotated(3)
class RequeueTest {

    @ParameterizedTest
    @MethodSource("io.evenkeel.e2e.requeue.Remedy#all")
    void aPodComesBackWhenAChangeHelpsItAndNotBefore(Remedy remedy, Scene scene) {
        remedy.setting().accept(scene);
        scene.node("full", "allocatable: {cpu: 0}");
        play(scene, scene.scheduler(), remedy);
    }

    @Test
    void aPodComesBackWhenTheServiceIsGoneThatMadeItSpread(Scene scene) {
        scene.zone("a", "a1");
        scene.node("full", "{labels: {topology.kubernetes.io/zone: b}, allocatable: {cpu: 0}}");
        scene.podOn("a1", "guest", "labels: {app: web}");
        scene.create("v1", "Service", "web", "spec: {selector: {app: web}, ports: [{port: 80}]}");
        SchedulerUnderTest scheduler = scene.scheduler(scene.configuration("""
            pluginConfig:
            - name: PodTopologySpread
              args:
                defaultingType: List
                defaultConstraints:
                - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}
            """), LiveOptions.usual("e2e"))
                .awaitSynced();
        play(
                scene,
                scheduler,
                new Remedy(
                        "",
                        _ -> {},
                        "labels: {app: web}",
                        any -> any.api().deleteNow(any.path("v1", "Service") + "/web")));
    }

    private static void play(Scene scene, SchedulerUnderTest scheduler, Remedy remedy) {
        String subject = scene.key("subject");
        scene.pod("subject", remedy.pod());
        eventually("it is turned away")
                .until(() -> scene.pod("subject").reason().equals("Unschedulable"));

        scene.podOn("full", "bystander", "");
        eventually("the bystander is known")
                .until(() -> scheduler.ask(asked -> asked.cluster().placedPods().stream()
                        .anyMatch(pod -> pod.key().equals(scene.key("bystander")))));
        QueueEntryView waiting = scheduler.queued(subject).orElseThrow();
        assertThat(waiting.state()).isEqualTo(QueueState.UNSCHEDULABLE);
        assertThat(waiting.attempts()).isEqualTo(1);

        remedy.change().accept(scene);
        scene.awaitBound("subject");
        assertThat(scheduler.attemptsOf(subject)).as("attempts").isEqualTo(2);
    }
}
