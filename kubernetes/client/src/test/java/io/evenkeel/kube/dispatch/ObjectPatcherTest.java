package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.Commands.claimPatch;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static io.evenkeel.kube.dispatch.Commands.write;
import static io.evenkeel.kube.dispatch.DispatcherFixture.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.ObjectPatch.Form;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.write.Tree;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim and a volume are written for a pod, one after the other. */
class ObjectPatcherTest {
    private static final Answers DONE = Answers.of(200, "{}");
    private static final ObjectPatch CLAIM = claimPatch("c", "n1");
    private static final ObjectPatch VOLUME = new ObjectPatch(
            Kinds.PERSISTENT_VOLUME,
            ObjectMeta.named("", "v").withVersion("42", 0),
            Map.of("spec", Map.of("claimRef", Map.of("name", "c"))));

    private final ScriptedTransport server = new ScriptedTransport(_ -> DONE);
    private final DispatcherFixture fixture = new DispatcherFixture(UNLIMITED, server, Duration.ofMillis(5));
    private final Pod pod = pod("p1");

    private CommandResult written(ObjectPatch patch) {
        fixture.dispatcher.submit(write(pod, patch));
        fixture.pass(Duration.ofMinutes(10));
        assertThat(fixture.results).hasSize(1);
        return fixture.results.getFirst();
    }

    private void assertIsNotWritten(WriteFailure failure, String message) {
        assertThat(written(CLAIM)).isInstanceOfSatisfying(CommandResult.NotWritten.class, result -> {
            assertThat(result.pod()).isEqualTo(pod);
            assertThat(result.failure()).isEqualTo(failure);
            assertThat(result.message()).contains(message);
        });
    }

    @Test
    void eachIsPatchedOnlyFromTheVersionThatWasDecidedOn() {
        fixture.dispatcher.submit(write(pod, VOLUME));
        fixture.dispatcher.submit(write(pod, CLAIM));
        fixture.pass(Duration.ofMinutes(10));

        assertThat(fixture.results).containsExactly(new CommandResult.Written(pod), new CommandResult.Written(pod));
        assertThat(server.calls())
                .extracting(call -> call.method() + " " + call.path())
                .containsExactly(
                        "PATCH /api/v1/persistentvolumes/v", "PATCH /api/v1/namespaces/ns/persistentvolumeclaims/c");
        assertThat(server.calls())
                .extracting(call -> call.body().orElseThrow().contentType())
                .containsOnly("application/merge-patch+json");
        assertThat(server.bodies())
                .containsExactly(
                        "{\"spec\":{\"claimRef\":{\"name\":\"c\"}},\"metadata\":{\"resourceVersion\":\"42\"}}",
                        "{\"metadata\":{\"resourceVersion\":\"41\",\"annotations\":"
                                + "{\"volume.kubernetes.io/selected-node\":\"n1\"}}}");
    }

    @Test
    void anObjectThatSomebodyElseHasChangedIsLeftAlone() {
        server.nowAnswers(
                _ -> Answers.of(409, "{\"message\":\"the object has been modified\",\"reason\":\"Conflict\"}"));
        assertIsNotWritten(WriteFailure.OVERTAKEN, "the object has been modified");
        assertThat(server.calls()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void theRequestIsTriedAgainWhereThatMayHelp(int code) {
        AtomicInteger calls = new AtomicInteger();
        server.nowAnswers(_ -> calls.incrementAndGet() < Retries.MOST_ATTEMPTS ? Answers.of(code, "") : DONE);

        assertThat(written(VOLUME)).isEqualTo(new CommandResult.Written(pod));
        assertThat(server.calls()).hasSize(Retries.MOST_ATTEMPTS);
    }

    @Test
    void theRequestIsGivenUpInTheEnd() {
        server.nowAnswers(_ -> Answers.of(429, ""));
        assertIsNotWritten(WriteFailure.FAILED, "");
        assertThat(server.calls()).hasSize(Retries.MOST_ATTEMPTS);
    }

    @Test
    void withoutAnAnswerItIsNotTriedAgain() {
        server.nowAnswers(_ -> {
            throw new SocketTimeoutException("silence");
        });
        assertIsNotWritten(WriteFailure.UNKNOWN, "no answer: java.net.SocketTimeoutException: silence");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void aServerThatFailsToTheEndMayHaveWrittenIt() {
        server.nowAnswers(_ -> Answers.of(500, ""));
        assertIsNotWritten(WriteFailure.UNKNOWN, "");
    }

    @Test
    void aConflictAfterAFailureMayBeWithItself() {
        AtomicInteger calls = new AtomicInteger();
        server.nowAnswers(_ -> Answers.of(calls.incrementAndGet() == 1 ? 504 : 409, ""));
        assertIsNotWritten(WriteFailure.UNKNOWN, "");
    }

    @Test
    void theAnswerSaysWhatTheObjectIsNow() {
        server.nowAnswers(_ -> Answers.of(200, """
                {"kind": "PersistentVolume", "apiVersion": "v1", "spec": "of no interest",
                 "metadata": {"name": "v", "uid": "u", "resourceVersion": "43"}}"""));
        assertThat(written(VOLUME)).isInstanceOfSatisfying(CommandResult.Written.class, written -> {
            assertThat(written.uid()).isEqualTo("u");
            assertThat(written.resourceVersion()).isEqualTo("43");
            assertThat(written.at()).isPositive();
        });
    }

    @Test
    void eachFormHasItsRequest() {
        ObjectMeta claim = new ObjectMeta("ns", "c", "u", Labels.EMPTY, Optional.empty(), false);
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("list", List.of(Map.of("uid", "p1"), 1, true));
        values.put("gone", null);
        values.put("at", ObjectPatch.Time.NOW);
        Map<String, Object> changes = Map.of("status", values);

        send(new ObjectPatch(Kinds.PERSISTENT_VOLUME_CLAIM, claim, changes, Form.MERGE_LISTS));
        send(new ObjectPatch(Kinds.PERSISTENT_VOLUME_CLAIM, claim, changes, Form.STATUS));
        send(new ObjectPatch(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectMeta.named("ns", "c"),
                Map.of("metadata", Map.of("annotations", Map.of("a", "b"))),
                Form.CREATE));
        send(new ObjectPatch(Kinds.PERSISTENT_VOLUME_CLAIM, claim, Map.of(), Form.DELETE));

        assertThat(server.calls())
                .extracting(call -> call.method() + " " + call.path() + " "
                        + call.body().orElseThrow().contentType())
                .containsExactly(
                        "PATCH /api/v1/namespaces/ns/persistentvolumeclaims/c application/strategic-merge-patch+json",
                        "PATCH /api/v1/namespaces/ns/persistentvolumeclaims/c/status"
                                + " application/strategic-merge-patch+json",
                        "POST /api/v1/namespaces/ns/persistentvolumeclaims application/json",
                        "DELETE /api/v1/namespaces/ns/persistentvolumeclaims/c application/json");
        assertThat(server.bodies().subList(0, 2))
                .allSatisfy(body -> assertThat(body)
                        .matches(
                                "\\{\"status\":\\{\"list\":\\[\\{\"uid\":\"p1\"},1,true],\"gone\":null,\"at\":\"[-0-9T:]+Z\"},"
                                        + "\"metadata\":\\{\"uid\":\"u\"}}"));
        assertThat(server.bodies().subList(2, 4))
                .containsExactly(
                        "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"namespace\":\"ns\","
                                + "\"name\":\"c\",\"annotations\":{\"a\":\"b\"}}}",
                        "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"u\"}}");
    }

    /** As servers before 1.33 have claims. What is wanted stands in the request itself there. */
    @Test
    void anOlderServerGetsClaimsInItsVersion() {
        server.nowAnswers(call -> call.path().contains("/v1beta1/")
                ? Answers.of(
                        404, "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"kind\":\"resourceclaims\"}}")
                : Answers.of(404, "404 page not found"));
        ObjectMeta claim = new ObjectMeta("ns", "c", "u", Labels.EMPTY, Optional.empty(), false);
        send(new ObjectPatch(Kinds.RESOURCE_CLAIM, claim, Map.of(), Form.DELETE));
        send(new ObjectPatch(Kinds.RESOURCE_CLAIM, claim, Map.of("status", Map.of()), Form.STATUS));
        send(new ObjectPatch(
                Kinds.RESOURCE_CLAIM,
                ObjectMeta.named("ns", "c"),
                Map.of("metadata", Map.of("finalizers", List.of("f")), "spec", new Tree.Raw("""
                        {"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu","count":2}}]}}""")),
                Form.CREATE));

        assertThat(server.calls())
                .extracting(call -> call.method() + " " + call.path())
                .containsExactly(
                        "DELETE /apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c",
                        "DELETE /apis/resource.k8s.io/v1beta2/namespaces/ns/resourceclaims/c",
                        "DELETE /apis/resource.k8s.io/v1beta1/namespaces/ns/resourceclaims/c",
                        "PATCH /apis/resource.k8s.io/v1beta1/namespaces/ns/resourceclaims/c/status",
                        "POST /apis/resource.k8s.io/v1beta1/namespaces/ns/resourceclaims");
        assertThat(server.bodies())
                .last()
                .asString()
                .contains("\"apiVersion\":\"resource.k8s.io/v1beta1\"", "\"finalizers\":[\"f\"]")
                .contains("\"requests\":[{\"name\":\"r\",\"deviceClassName\":\"gpu\",\"count\":2}]");
    }

    private void send(ObjectPatch patch) {
        fixture.dispatcher.submit(write(pod, patch));
        fixture.pass(Duration.ofMinutes(10));
    }

    @Test
    void whatIsGoneAlreadyIsDeleted() {
        server.nowAnswers(_ -> Answers.of(404, ""));
        ObjectPatch deletion = new ObjectPatch(CLAIM.kind(), CLAIM.object(), Map.of(), Form.DELETE);
        assertThat(written(deletion)).isEqualTo(new CommandResult.Written(pod));
    }

    @Test
    void whatNobodyWaitsForHasNoAnswer() {
        fixture.dispatcher.submit(new Command.WriteObject(pod, VOLUME, false));
        fixture.pass(Duration.ofMinutes(10));
        server.nowAnswers(_ -> Answers.of(403, ""));
        fixture.dispatcher.submit(new Command.WriteObject(pod, VOLUME, false));
        fixture.pass(Duration.ofMinutes(10));

        assertThat(server.calls()).hasSize(2);
        assertThat(fixture.results).isEmpty();
        assertThat(fixture.drops).containsExactly("WRITE_OBJECT REFUSED");
    }

    @Test
    void aFormerLeaderWritesNothing() {
        fixture.leading = false;
        assertIsNotWritten(WriteFailure.NOT_LEADING, "the lease was not renewed in time");
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void whatWasTriedBeforeTheLeaseRanOutMayBeWritten() {
        server.nowAnswers(_ -> {
            fixture.leading = false;
            return Answers.of(504, "");
        });
        assertIsNotWritten(WriteFailure.UNKNOWN, "the lease was not renewed in time");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void whatNobodyWaitsForIsWrittenOnceTheLeaseIsHeldAgain() {
        fixture.leading = false;
        fixture.dispatcher.submit(new Command.WriteObject(pod, VOLUME, false));
        fixture.pass(Duration.ofMinutes(10));
        assertThat(server.calls()).isEmpty();

        fixture.leading = true;
        fixture.pass(Duration.ofSeconds(2));
        assertThat(server.calls()).hasSize(1);
        assertThat(fixture.drops).isEmpty();
    }

    @Test
    void whatCannotBeWrittenDownIsNotWritten() {
        ObjectPatch senseless =
                new ObjectPatch(CLAIM.kind(), CLAIM.object(), Map.of("spec", Map.of("size", Optional.empty())));
        assertThat(written(senseless))
                .isInstanceOfSatisfying(
                        CommandResult.NotWritten.class,
                        result -> assertThat(result.failure()).isEqualTo(WriteFailure.FAILED));
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void aDryRunOnlySaysSo() {
        DryRun dryRun = new DryRun(fixture.results::add);
        dryRun.submit(write(pod, VOLUME));
        assertThat(fixture.results).containsExactly(new CommandResult.OnlySaid(pod));
    }
}
