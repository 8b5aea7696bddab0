package io.evenkeel.kube.dispatch;

import io.evenkeel.api.Status;
import io.evenkeel.engine.Command.Bind;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Binds pods. Never asks twice unless the server said that it did nothing: where that is not known, the pod may be bound,
 * and to ask again would only tell that it is bound.
 */
record PodBinder(ApiTransport transport, Extenders extenders, BooleanSupplier mayBind) {
    /** Lets the PreBind plugins work, and the extender that wants to bind the pod: it takes none of the server's time. */
    Outcome prepare(Bind bind) {
        if (!mayBind.getAsBoolean()) {
            return notLeading(bind);
        }
        Status status = bind.steps().before();
        if (!status.isSuccess()) {
            return objected(bind, status);
        }
        return extenders.haveBinderOf(bind.pod())
                ? extenders.inPlace(() -> bindByExtender(bind))
                : new Outcome.Prepared();
    }

    /** Where it fails, the extender may have bound the pod nevertheless: the server is asked. */
    private Outcome bindByExtender(Bind bind) {
        if (!mayBind.getAsBoolean()) {
            return notLeading(bind);
        }
        try {
            return extenders.bind(bind.pod(), bind.node()) ? bound(bind) : new Outcome.Prepared();
        } catch (ExtenderException failed) {
            return refused(bind, BindFailure.UNKNOWN, String.valueOf(failed.getMessage()));
        } catch (RuntimeException unexpected) {
            return refused(bind, BindFailure.UNKNOWN, String.valueOf(unexpected));
        }
    }

    /** Whether there is nothing to do before it is bound, so that it takes no thread of its own. */
    boolean isPrepared(Bind bind) {
        return !bind.steps().takeTime() && !extenders.haveBinderOf(bind.pod());
    }

    /** Asks the server to bind, without waiting for it, where no plugin has a part in it; false where that cannot be. */
    boolean begin(Bind bind, int attempts, Consumer<Supplier<Outcome>> ended) {
        if (bind.steps().haveBinders() || !mayBind.getAsBoolean()) {
            return false;
        }
        long began = bind.steps().beginOwnWay();
        return write(bind, attempts)
                .begin(
                        transport,
                        meaning -> ended.accept(() -> {
                            Outcome outcome = meaning.get();
                            bind.steps().endOwnWay(began, result(outcome));
                            return outcome;
                        }));
    }

    /** Lets a plugin bind, or asks the server to. */
    Outcome bind(Bind bind, int attempts) {
        if (!mayBind.getAsBoolean()) {
            return notLeading(bind);
        }
        try {
            Status status = bind.steps().bind();
            if (status.isSuccess()) {
                return bound(bind);
            }
            return status.isSkip() ? bindOwnWay(bind, attempts) : objected(bind, status);
        } catch (PluginFailure failure) {
            return refused(
                    bind, BindFailure.UNKNOWN, failure.asObjection().status().message());
        }
    }

    private static Optional<Status.Code> result(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Bound _ -> Optional.of(Status.Code.SUCCESS);
            case Outcome.Done _ -> Optional.of(Status.Code.ERROR);
            default -> Optional.empty();
        };
    }

    private static Outcome objected(Bind bind, Status status) {
        return refused(bind, status.isRejected() ? BindFailure.REJECTED : BindFailure.FAILED, status.message());
    }

    private Outcome bindOwnWay(Bind bind, int attempts) {
        // Plugins may have taken their time, so the lease is looked at once more, right before it counts.
        if (!mayBind.getAsBoolean()) {
            return notLeading(bind);
        }
        long began = bind.steps().beginOwnWay();
        Outcome outcome = write(bind, attempts).carryOut(transport);
        bind.steps().endOwnWay(began, result(outcome));
        return outcome;
    }

    private static Write write(Bind bind, int attempts) {
        ApiCall call = ApiCall.send(
                "POST",
                Kinds.POD.path(bind.pod().meta()) + "/binding",
                "application/json",
                body(bind.pod(), bind.node()));
        return new Write(
                call,
                answer -> judge(bind, answer, attempts),
                noAnswer -> refused(bind, BindFailure.UNKNOWN, asPlugin("no answer to the binding: " + noAnswer)));
    }

    private static Outcome judge(Bind bind, Answered answer, int attempts) {
        if (answer.isSuccess()) {
            return bound(bind);
        }
        String message = answer.status().explanation();
        if (answer.isTooMany() && attempts + 1 < Retries.MOST_ATTEMPTS) {
            return new Outcome.TryAgain(answer.retryAfter(), message);
        }
        if (answer.isUnclear()) {
            return refused(bind, BindFailure.UNKNOWN, asPlugin(message));
        }
        if (answer.isNoSuchPod()) {
            return refused(bind, BindFailure.GONE, asPlugin(message));
        }
        return refused(bind, answer.code() == 409 ? conflict(message) : BindFailure.FAILED, asPlugin(message));
    }

    /** To users this is a plugin, as it is one to kube-scheduler. */
    private static String asPlugin(String message) {
        return PluginFailure.text("DefaultBinder", "Bind", message);
    }

    /** The server tells its conflicts apart by text alone. */
    private static BindFailure conflict(String message) {
        if (message.contains("is already assigned to node")) {
            return BindFailure.ALREADY_BOUND;
        }
        if (message.contains("UID in precondition")) {
            return BindFailure.OTHER_UID;
        }
        return message.contains("non-empty .spec.schedulingGates") ? BindFailure.GATED : BindFailure.FAILED;
    }

    private static Outcome bound(Bind bind) {
        return new Outcome.Bound(
                new CommandResult.Bound(bind.pod(), bind.node()),
                () -> bind.steps().after());
    }

    private static Outcome notLeading(Bind bind) {
        return refused(bind, BindFailure.NOT_LEADING, "the lease was not renewed in time");
    }

    static Outcome refused(Bind bind, BindFailure failure, String message) {
        return new Outcome.Done(new CommandResult.NotBound(bind.pod(), bind.node(), failure, message));
    }

    /** A Binding. Its UID makes the server refuse if another pod has taken the name. */
    private static String body(Pod pod, String node) {
        return new Tree()
                .put("apiVersion", "v1")
                .put("kind", "Binding")
                .put(
                        "metadata",
                        new Tree()
                                .put("name", pod.name())
                                .put("namespace", pod.namespace())
                                .putNonEmpty("uid", pod.meta().uid()))
                .put(
                        "target",
                        new Tree().put("apiVersion", "v1").put("kind", "Node").put("name", node))
                .json();
    }
}
