package io.evenkeel.kube.dispatch;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Command.Lookup;
import io.evenkeel.engine.Command.WriteObject;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.EventTask.SeriesEnd;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes one step of a job, on a thread that may block. Whatever goes wrong, there is an outcome. */
public final class CommandCarrier {
    private static final Logger log = LoggerFactory.getLogger(CommandCarrier.class);

    private final PodBinder binder;
    private final StatusPatcher patcher;
    private final PodLookup lookup;
    private final PodEvictor evictor;
    private final ObjectPatcher objects;
    private final EventWriter events;

    public CommandCarrier(
            ApiTransport transport,
            ObjectReader reader,
            BooleanSupplier mayWrite,
            InstantSource clock,
            String identity,
            Extenders extenders) {
        binder = new PodBinder(transport, extenders, mayWrite);
        patcher = new StatusPatcher(transport, mayWrite, clock);
        lookup = new PodLookup(transport, reader);
        evictor = new PodEvictor(transport, mayWrite, clock);
        objects = new ObjectPatcher(transport, mayWrite);
        events = new EventWriter(transport, identity);
    }

    List<SeriesEnd> finishedSeries(Instant now) {
        return events.takeFinished(now);
    }

    /** Whether the step is done in a moment, whatever thread takes it. */
    public boolean isMomentary(Job.Work work, Job.Step step) {
        return step == Job.Step.PREPARE && work instanceof Job.OnPod(Command.Bind bind) && binder.isPrepared(bind);
    }

    /**
     * Begins a call for which no thread has to wait.
     *
     * @param ended is told once what has become of it, by a thread that must not be held up
     * @return false, and nothing is done, where a thread has to {@link #carry} it out
     */
    public boolean begin(Job.Work work, Job.Step step, int attempts, Consumer<Outcome> ended) {
        Consumer<Supplier<Outcome>> answered = meaning -> ended.accept(attempt(work, step, meaning));
        try {
            return step == Job.Step.CALL
                    && switch (work) {
                        case Job.OnPod(Command.Bind bind) -> binder.begin(bind, attempts, answered);
                        case Job.OnPod(Command.PatchStatus patch) -> patcher.begin(patch, attempts, answered);
                        case Job.OnPod(Command.PatchGroup patch) -> patcher.begin(patch, attempts, answered);
                        case Job.OnPod _ -> false;
                        case EventTask task -> events.begin(task, attempts, answered);
                    };
        } catch (RuntimeException unexpected) {
            return false; // the thread that carries it out will say what it is
        }
    }

    public Outcome carry(Job.Work work, Job.Step step, int attempts) {
        return attempt(work, step, () -> switch (work) {
            case Job.OnPod(Command.Bind bind) ->
                step == Job.Step.PREPARE ? binder.prepare(bind) : binder.bind(bind, attempts);
            case Job.OnPod(Command.PatchStatus patch) -> patcher.patch(patch, attempts);
            case Job.OnPod(Command.PatchGroup patch) -> patcher.patch(patch, attempts);
            case Job.OnPod(Command.Lookup pod) -> new Outcome.Done(lookup.carryOut(pod));
            case Job.OnPod(Command.Evict evict) -> evictor.evict(evict, attempts);
            case Job.OnPod(Command.WriteObject write) -> objects.write(write, attempts);
            case Job.OnPod(Command.RecordEvent _), Job.OnPod(Command.RecordGroupEvent _) ->
                throw new IllegalStateException("events are written by themselves, not as a pod's job");
            case EventTask task -> events.write(task, attempts);
        });
    }

    private static Outcome attempt(Job.Work work, Job.Step step, Supplier<Outcome> attempt) {
        try {
            return attempt.get();
        } catch (RuntimeException | Error unexpected) {
            log.atError()
                    .setMessage("Write failed unexpectedly")
                    .addKeyValue("kind", work.kind())
                    .addKeyValue("object", work.key())
                    .setCause(unexpected)
                    .log();
            return unexpectedly(work, step, unexpected);
        }
    }

    private static Outcome unexpectedly(Job.Work work, Job.Step step, Throwable why) {
        return switch (work) {
            case Job.OnPod(Command.Bind bind) ->
                PodBinder.refused(
                        bind, step == Job.Step.PREPARE ? BindFailure.FAILED : BindFailure.UNKNOWN, String.valueOf(why));
            case Job.OnPod(Command.Lookup look) ->
                new Outcome.Done(new CommandResult.LookupFailed(look.pod(), String.valueOf(why)));
            case Job.OnPod(Command.Evict evict) -> PodEvictor.stays(evict, String.valueOf(why));
            case Job.OnPod(Command.WriteObject write) -> ObjectPatcher.failed(write, String.valueOf(why));
            case Job.OnPod _, EventTask _ -> new Outcome.Dropped(Drop.REFUSED, String.valueOf(why));
        };
    }

    private record PodLookup(ApiTransport transport, ObjectReader reader) {
        CommandResult carryOut(Lookup lookup) {
            try {
                Answered answer = Answered.whole(
                        transport, ApiCall.get(Kinds.POD.path(lookup.pod().meta())));
                if (answer.isNoSuchPod()) {
                    return new CommandResult.Found(lookup.pod(), Optional.empty());
                }
                return answer.isSuccess()
                        ? read(lookup, answer)
                        : new CommandResult.LookupFailed(
                                lookup.pod(), answer.status().explanation());
            } catch (IOException noAnswer) {
                return new CommandResult.LookupFailed(lookup.pod(), "no answer: " + noAnswer);
            }
        }

        private CommandResult read(Lookup lookup, Answered answer) {
            try {
                KubernetesObject found = reader.read(answer.body());
                return found instanceof Pod pod
                        ? new CommandResult.Found(lookup.pod(), Optional.of(pod))
                        : new CommandResult.LookupFailed(
                                lookup.pod(), "the server answered with something else than a pod");
            } catch (ObjectReadException | UncheckedIOException unreadable) {
                return new CommandResult.LookupFailed(lookup.pod(), "unreadable: " + unreadable.getMessage());
            }
        }
    }

    /** Writes what a pod needs before it is bound. An object is changed only from the version that was decided on. */
    record ObjectPatcher(ApiTransport transport, BooleanSupplier mayWrite) {
        private static final Logger log = LoggerFactory.getLogger(ObjectPatcher.class);

        Outcome write(WriteObject write, int attempts) {
            if (!mayWrite.getAsBoolean()) {
                return new Outcome.Done(new CommandResult.NotWritten(
                        write.pod(), WriteFailure.NOT_LEADING, "the lease was not renewed in time"));
            }
            try {
                Answered answer = Answered.write(transport, call(write.patch()));
                if (answer.isSuccess()) {
                    log(write.pod(), write.patch());
                    return new Outcome.Done(new CommandResult.Written(write.pod()));
                }
                String message = answer.status().explanation();
                return answer.mayPass() && attempts + 1 < Retries.MOST_ATTEMPTS
                        ? new Outcome.TryAgain(answer.retryAfter(), message)
                        : failed(write, message);
            } catch (IOException noAnswer) {
                return failed(write, "no answer: " + noAnswer);
            }
        }

        static Outcome failed(WriteObject write, String message) {
            return new Outcome.Done(new CommandResult.NotWritten(write.pod(), WriteFailure.FAILED, message));
        }

        private static ApiCall call(ObjectPatch patch) {
            return ApiCall.send(
                    "PATCH",
                    patch.kind().path(patch.object()),
                    "application/merge-patch+json",
                    withVersion(patch).json());
        }

        /** The server refuses where the object has another version by now. */
        private static Tree withVersion(ObjectPatch patch) {
            Tree metadata =
                    new Tree().putNonEmpty("resourceVersion", patch.object().resourceVersion());
            if (patch.changes().get("metadata") instanceof Map<?, ?> changed) {
                tree(changed).fields().forEach(metadata::put);
            }
            return tree(patch.changes()).put("metadata", metadata);
        }

        /** Of objects and texts; whatever else there is cannot be cast, and is not written. */
        private static Tree tree(Map<?, ?> fields) {
            Tree tree = new Tree();
            fields.forEach((field, value) ->
                    tree.put((String) field, value instanceof Map<?, ?> inner ? tree(inner) : (String) value));
            return tree;
        }

        private static void log(Pod pod, ObjectPatch patch) {
            log.atDebug()
                    .setMessage("Wrote an object for a pod")
                    .addKeyValue("pod", pod.key())
                    .addKeyValue("kind", patch.kind().name())
                    .addKeyValue("object", patch.object().key())
                    .log();
        }
    }
}
