package io.evenkeel.app.metrics;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.model.Pod;
import io.evenkeel.model.read.ObjectReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PodResourcesEndpointTest {
    private static final Pod PLACED = pod("""
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "placed", "namespace": "default", "uid": "1"},
         "spec": {
           "nodeName": "n1", "schedulerName": "default-scheduler", "priority": 0,
           "initContainers": [
             {"name": "side", "restartPolicy": "Always",
              "resources": {"requests": {"cpu": "50m"}, "limits": {"cpu": "100m", "memory": "10Mi"}}},
             {"name": "init", "resources": {"requests": {"cpu": "900m"}, "limits": {"cpu": "1", "memory": "5Mi"}}}],
           "containers": [
             {"name": "c", "resources": {
               "requests": {"cpu": "250m", "memory": "64Mi", "hugepages-2Mi": "4Mi", "example.com/gpu": "1",
                 "ephemeral-storage": "1Gi"},
               "limits": {"hugepages-2Mi": "4Mi", "example.com/gpu": "1", "cpu": "500m", "memory": "128Mi"}}},
             {"name": "d", "resources": {"requests": {"cpu": "1m", "attachable-volumes-csi": "2"}}}]}}
        """);
    private static final Pod POD_LEVEL = pod("""
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "podlevel", "namespace": "default", "uid": "2"},
         "spec": {
           "nodeName": "n1", "schedulerName": "default-scheduler", "priority": -5,
           "resources": {"requests": {"cpu": "1", "memory": "100Mi"}, "limits": {"cpu": "2"}},
           "overhead": {"cpu": "250m", "example.com/gpu": "1"},
           "containers": [
             {"name": "c", "resources": {"requests": {"cpu": "250m", "memory": "0"}, "limits": {"memory": "70Mi"}}}]}}
        """);
    private static final Pod WAITING = pod("""
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "waiting", "namespace": "shop", "uid": "3"},
         "spec": {
           "schedulerName": "evenkeel", "priority": 1000,
           "containers": [{"name": "c", "resources": {"requests": {"cpu": "3"}}}]}}
        """);

    /** As kube-scheduler answers of such pods, but for its rounding of sums. */
    @Test
    void eachResourceOfEachPodIsALine() throws IOException {
        assertThat(lines("kube_pod_resource_limit", PLACED, POD_LEVEL, WAITING))
                .containsExactly(
                        of("default", "n1", "placed", "0", "cpu", "default-scheduler", "cores") + " 1.1",
                        of("default", "n1", "placed", "0", "example.com/gpu", "default-scheduler", "") + " 1.0",
                        of("default", "n1", "placed", "0", "hugepages-2Mi", "default-scheduler", "bytes")
                                + " 4194304.0",
                        of("default", "n1", "placed", "0", "memory", "default-scheduler", "bytes") + " 1.44703488E8",
                        of("default", "n1", "podlevel", "-5", "cpu", "default-scheduler", "cores") + " 2.25",
                        of("default", "n1", "podlevel", "-5", "memory", "default-scheduler", "bytes") + " 7.340032E7");
        assertThat(lines("kube_pod_resource_request", PLACED, POD_LEVEL, WAITING))
                .containsExactly(
                        of("default", "n1", "placed", "0", "attachable-volumes-csi", "default-scheduler", "integer")
                                + " 2.0",
                        of("default", "n1", "placed", "0", "cpu", "default-scheduler", "cores") + " 0.95",
                        of("default", "n1", "placed", "0", "ephemeral-storage", "default-scheduler", "bytes")
                                + " 1.073741824E9",
                        of("default", "n1", "placed", "0", "example.com/gpu", "default-scheduler", "") + " 1.0",
                        of("default", "n1", "placed", "0", "hugepages-2Mi", "default-scheduler", "bytes")
                                + " 4194304.0",
                        of("default", "n1", "placed", "0", "memory", "default-scheduler", "bytes") + " 6.7108864E7",
                        of("default", "n1", "podlevel", "-5", "cpu", "default-scheduler", "cores") + " 1.25",
                        of("default", "n1", "podlevel", "-5", "example.com/gpu", "default-scheduler", "") + " 1.0",
                        of("default", "n1", "podlevel", "-5", "memory", "default-scheduler", "bytes") + " 1.048576E8",
                        of("shop", "", "waiting", "1000", "cpu", "evenkeel", "cores") + " 3.0");
    }

    @Test
    void aMetricsLinesStandTogetherBelowItsType() throws IOException {
        assertThat(text(List.of(PLACED, WAITING)).lines().filter(line -> line.startsWith("# TYPE")))
                .containsExactly("# TYPE kube_pod_resource_limit gauge", "# TYPE kube_pod_resource_request gauge");
        assertThat(text(List.of(PLACED, WAITING))
                        .lines()
                        .map(line -> line.replaceAll("[ {].*", ""))
                        .distinct())
                .containsExactly("#", "kube_pod_resource_limit", "kube_pod_resource_request");
    }

    /** As kube-scheduler answers. */
    @Test
    void whatAMetricIsAboutIsToldWithItsStability() throws IOException {
        assertThat(text(List.of(PLACED)).lines().filter(line -> line.startsWith("# HELP")))
                .containsExactly(
                        "# HELP kube_pod_resource_limit [STABLE] Resources limit for workloads on the cluster, broken"
                                + " down by pod. This shows the resource usage the scheduler and kubelet expect per"
                                + " pod for resources along with the unit for the resource if any.",
                        "# HELP kube_pod_resource_request [STABLE] Resources requested by workloads on the cluster,"
                                + " broken down by pod. This shows the resource usage the scheduler and kubelet expect"
                                + " per pod for resources along with the unit for the resource if any.");
    }

    @Test
    void twoAreAnsweredAtATimeAndTheNextWaitsForItsTurn() throws Exception {
        var content = content(List.of(PLACED));
        HeldOutput first = new HeldOutput();
        HeldOutput second = new HeldOutput();
        HeldOutput third = new HeldOutput();
        Thread one = reading(content, first);
        Thread two = reading(content, second);
        first.begun.await();
        second.begun.await();

        Thread three = reading(content, third);
        await().until(() -> three.getState() == Thread.State.TIMED_WAITING);
        assertThat(third.begun.getCount()).as("not begun").isOne();

        first.goOn.countDown();
        third.begun.await();
        second.goOn.countDown();
        third.goOn.countDown();
        one.join();
        two.join();
        three.join();
    }

    @Test
    void whoBreaksOffMakesRoomForTheNext() throws IOException {
        var content = content(List.of(PLACED));
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("gone");
            }
        };
        for (int i = 0; i < 3; i++) {
            assertThatIOException().isThrownBy(() -> content.writeTo(gone)).withMessage("gone");
        }

        ByteArrayOutputStream next = new ByteArrayOutputStream();
        content.writeTo(next);
        assertThat(next.toString(StandardCharsets.UTF_8)).contains("kube_pod_resource_limit{");
    }

    /** A client that takes nothing until it is told to. */
    private static final class HeldOutput extends OutputStream {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public void write(int b) throws IOException {
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
    }

    private static Thread reading(StreamedReply.Content content, OutputStream out) {
        return Thread.ofVirtual().start(() -> {
            try {
                content.writeTo(out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void whoDoesNotLeadTellsNothing() {
        var answer = new PodResourcesEndpoint(Optional::empty).answer(request());

        assertThat(answer).isInstanceOfSatisfying(Reply.class, reply -> {
            assertThat(reply.code()).isEqualTo(200);
            assertThat(reply.body()).isEmpty();
        });
    }

    private static List<String> lines(String metric, Pod... pods) throws IOException {
        return text(List.of(pods))
                .lines()
                .filter(line -> line.startsWith(metric + "{"))
                .map(line -> line.substring(metric.length()))
                .toList();
    }

    private static String of(
            String namespace,
            String node,
            String pod,
            String priority,
            String resource,
            String scheduler,
            String unit) {
        return "{namespace=\"%s\",node=\"%s\",pod=\"%s\",priority=\"%s\",resource=\"%s\",scheduler=\"%s\",unit=\"%s\"}"
                .formatted(namespace, node, pod, priority, resource, scheduler, unit);
    }

    private static String text(List<Pod> pods) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        content(pods).writeTo(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static StreamedReply.Content content(List<Pod> pods) {
        var answer = new PodResourcesEndpoint(() -> Optional.of(pods)).answer(request());
        return ((StreamedReply) answer).content();
    }

    private static Request request() {
        return new Request("GET", "/metrics/resources", Map.of(), new Headers());
    }

    private static Pod pod(String json) {
        return (Pod) new ObjectReader().read(json);
    }
}
