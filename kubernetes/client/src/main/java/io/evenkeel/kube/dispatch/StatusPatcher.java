package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command.PatchGroup;
import io.evenkeel.engine.Command.PatchStatus;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTime;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes conditions and nominated nodes into pods, and conditions into groups, by strategic merge patches, where conditions are
 * merged by type. A UID in them spares another object of the name. Written twice they are the same, so whatever may pass is
 * tried again.
 */
record StatusPatcher(ApiTransport transport, BooleanSupplier mayWrite, InstantSource clock) {
    private static final Logger log = LoggerFactory.getLogger(StatusPatcher.class);
    private static final String STRATEGIC_MERGE = "application/strategic-merge-patch+json";

    /**
     * A patch to send.
     *
     * @param resource of the object, by which the server says that it is gone
     * @param written where it was
     */
    private record Patch(ApiCall call, String resource, Runnable written) {}

    Outcome patch(PatchStatus patch, int attempts) {
        return send(patchOf(patch), attempts);
    }

    Outcome patch(PatchGroup patch, int attempts) {
        return send(patchOf(patch), attempts);
    }

    /** Without waiting for the answer; false where that cannot be. */
    boolean begin(PatchStatus patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return begin(patchOf(patch), attempts, ended);
    }

    /** Without waiting for the answer; false where that cannot be. */
    boolean begin(PatchGroup patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return begin(patchOf(patch), attempts, ended);
    }

    private Outcome send(Patch patch, int attempts) {
        // A former leader's condition would overwrite the new leader's.
        return mayWrite.getAsBoolean()
                ? write(patch, attempts).carryOut(transport)
                : new Outcome.Dropped(Drop.NOT_LEADING, "the lease was not renewed in time");
    }

    private boolean begin(Patch patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return mayWrite.getAsBoolean() && write(patch, attempts).begin(transport, ended);
    }

    private static Write write(Patch patch, int attempts) {
        return new Write(
                patch.call,
                answer -> judge(patch, answer, attempts),
                noAnswer -> Retries.again(attempts, Optional.empty(), "no answer: " + noAnswer));
    }

    private static Outcome judge(Patch patch, Answered answer, int attempts) {
        if (answer.isSuccess()) {
            patch.written.run();
            return new Outcome.Silent();
        }
        String message = answer.status().explanation();
        return answer.mayPass()
                ? Retries.again(attempts, answer.retryAfter(), message)
                : new Outcome.Dropped(answer.isGone(patch.resource) ? Drop.GONE : Drop.REFUSED, message);
    }

    private Patch patchOf(PatchGroup patch) {
        GroupCondition condition = patch.condition();
        Tree written = new Tree().put("type", condition.type()).put("status", condition.status());
        if (condition.observedGeneration() > 0) {
            written.put("observedGeneration", condition.observedGeneration());
        }
        String since = condition.lastTransitionTime();
        written.put("lastTransitionTime", since.isEmpty() ? ApiTime.seconds(clock.instant()) : since)
                .put("reason", condition.reason())
                .put("message", condition.message());
        String body = body(patch.group(), new Tree().put("conditions", List.of(written)));
        ApiCall call = ApiCall.send("PATCH", patch.kind().path(patch.group()) + "/status", STRATEGIC_MERGE, body);
        return new Patch(
                call,
                patch.kind().plural(),
                () -> log.atDebug()
                        .setMessage("Updated group condition")
                        .addKeyValue("group", patch.group().key())
                        .addKeyValue("reason", condition.reason())
                        .addKeyValue("message", condition.message())
                        .log());
    }

    private Patch patchOf(PatchStatus patch) {
        return new Patch(call(patch, clock.instant()), Kinds.POD.plural(), () -> log(patch));
    }

    private static void log(PatchStatus patch) {
        patch.condition()
                .ifPresent(condition -> log.atDebug()
                        .setMessage("Updated pod condition")
                        .addKeyValue("pod", patch.pod().key())
                        .addKeyValue("reason", condition.reason())
                        .addKeyValue("message", condition.message())
                        .log());
        patch.nominatedNodeName()
                .ifPresent(node -> log.atDebug()
                        .setMessage("Updated pod nomination")
                        .addKeyValue("pod", patch.pod().key())
                        .addKeyValue("nominatedNodeName", node)
                        .log());
    }

    static ApiCall call(PatchStatus patch, Instant now) {
        Tree status = new Tree();
        patch.condition()
                .ifPresent(condition -> status.put("conditions", List.of(written(patch.pod(), condition, now))));
        patch.nominatedNodeName().ifPresent(node -> status.put("nominatedNodeName", orClear(node)));
        ObjectMeta pod = patch.pod().meta();
        return ApiCall.send("PATCH", Kinds.POD.path(pod) + "/status", STRATEGIC_MERGE, body(pod, status));
    }

    private static String body(ObjectMeta object, Tree status) {
        Tree body = new Tree();
        if (!object.uid().isEmpty()) {
            body.put("metadata", new Tree().put("uid", object.uid()));
        }
        return body.put("status", status).json();
    }

    private static Tree written(Pod pod, PodCondition condition, Instant now) {
        Tree written = new Tree().put("type", condition.type());
        if (condition.observedGeneration() > 0) {
            written.put("observedGeneration", condition.observedGeneration());
        }
        return written.put("status", condition.status())
                .put("lastProbeTime", null)
                .put("lastTransitionTime", transitionTime(pod, condition, now))
                .put("reason", orClear(condition.reason()))
                .put("message", orClear(condition.message()));
    }

    /** The engine reads no clock: where it gives no time, it is now, unless the pod has had that status before. */
    private static String transitionTime(Pod pod, PodCondition condition, Instant now) {
        if (!condition.lastTransitionTime().isEmpty()) {
            return condition.lastTransitionTime();
        }
        return pod.status()
                .scheduled()
                .filter(before -> before.type().equals(condition.type())
                        && before.status().equals(condition.status())
                        && !before.lastTransitionTime().isEmpty())
                .map(PodCondition::lastTransitionTime)
                .orElseGet(() -> ApiTime.seconds(now));
    }

    private static @Nullable String orClear(String value) {
        return value.isEmpty() ? null : value;
    }
}
