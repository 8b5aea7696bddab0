package io.evenkeel.kube.dispatch;

import com.fasterxml.jackson.core.JsonParser;
import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.ObjectPatch.Form;
import io.evenkeel.api.Status;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Command.Bind;
import io.evenkeel.engine.Command.Evict;
import io.evenkeel.engine.Command.Lookup;
import io.evenkeel.engine.Command.PatchGroup;
import io.evenkeel.engine.Command.PatchStatus;
import io.evenkeel.engine.Command.WriteObject;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks.ApiTime;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.EventTask;
import io.evenkeel.kube.dispatch.Job.EventTask.SeriesEnd;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.kube.dispatch.Job.Write;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.model.write.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Takes one step of a job, on a thread that may block. Whatever goes wrong, there is an outcome. */
public final class CommandCarrier {
    private static final Logger log = LoggerFactory.getLogger(CommandCarrier.class);

    private static final String STRATEGIC_MERGE = "application/strategic-merge-patch+json";

    private final PodBinder binder;
    private final StatusPatcher patcher;
    private final PodLookup lookup;
    private final PodEvictor evictor;
    private final ObjectPatcher objects;
    private final EventWriter events;

    /** @param rebinds whether a binding that fails for a moment only is asked for again */
    public CommandCarrier(
            ApiTransport transport,
            ObjectReader reader,
            BooleanSupplier mayWrite,
            InstantSource clock,
            String identity,
            Extenders extenders,
            boolean rebinds) {
        binder = new PodBinder(transport, extenders, mayWrite, rebinds);
        patcher = new StatusPatcher(transport, mayWrite, clock);
        lookup = new PodLookup(transport, reader);
        evictor = new PodEvictor(transport, mayWrite, clock);
        objects = new ObjectPatcher(transport, reader, mayWrite, clock, new ConcurrentHashMap<>());
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
            case Job.OnPod(Command.WriteObject write) ->
                ObjectPatcher.refused(write, WriteFailure.FAILED, String.valueOf(why));
            case Job.OnPod _, EventTask _ -> new Outcome.Dropped(Drop.REFUSED, String.valueOf(why));
        };
    }

    /** DeleteOptions. Their UID makes the server refuse if another object has taken the name. */
    private static Tree deleteOptions(ObjectMeta object) {
        Tree options = new Tree().put("apiVersion", "v1").put("kind", "DeleteOptions");
        return object.uid().isEmpty() ? options : options.put("preconditions", new Tree().put("uid", object.uid()));
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

    /**
     * Writes objects for pods. One is changed only from the version that was decided on.
     *
     * @param served by kind, in which of its versions the server has it, as far as is known
     */
    record ObjectPatcher(
            ApiTransport transport,
            ObjectReader reader,
            BooleanSupplier mayWrite,
            InstantSource clock,
            Map<String, Integer> served) {
        private static final Logger log = LoggerFactory.getLogger(ObjectPatcher.class);

        Outcome write(WriteObject write, int attempts) {
            if (!mayWrite.getAsBoolean()) {
                // An attempt before may have written it, and the engine may go on later.
                WriteFailure failure = attempts > 0 ? WriteFailure.UNKNOWN : WriteFailure.NOT_LEADING;
                return write.awaited()
                        ? refused(write, failure, "the lease was not renewed in time")
                        : new Outcome.Held();
            }
            try {
                Answered answer = send(write.patch());
                if (answer.isSuccess() || isGone(write.patch(), answer)) {
                    log(write.pod(), write.patch());
                    return write.awaited() ? new Outcome.Done(written(write, answer)) : new Outcome.Silent();
                }
                String message = answer.status().explanation();
                if (answer.mayPass() && attempts + 1 < Retries.MOST_ATTEMPTS) {
                    return new Outcome.TryAgain(answer.retryAfter(), message);
                }
                // What looks like somebody else's change may be that of an attempt before.
                boolean isUnclear = answer.isUnclear() || (answer.code() == 409 && attempts > 0);
                WriteFailure plain =
                        answer.code() == 409 || answer.code() == 404 ? WriteFailure.OVERTAKEN : WriteFailure.FAILED;
                return refused(write, isUnclear ? WriteFailure.UNKNOWN : plain, message);
            } catch (IOException noAnswer) {
                return refused(write, WriteFailure.UNKNOWN, "no answer: " + noAnswer);
            }
        }

        private Answered send(ObjectPatch patch) throws IOException {
            List<? extends Kind<?>> versions = patch.kind().versions();
            int first = served.getOrDefault(patch.kind().name(), 0);
            Answered answer = Answered.whole(transport, call(patch, versions.get(first)));
            for (int i = 1; i < versions.size() && answer.leadsNowhere(); i++) {
                int next = (first + i) % versions.size();
                answer = Answered.whole(transport, call(patch, versions.get(next)));
                if (!answer.leadsNowhere()) {
                    served.put(patch.kind().name(), next);
                }
            }
            return answer;
        }

        private static boolean isGone(ObjectPatch patch, Answered answer) {
            return patch.form() == Form.DELETE && answer.code() == 404;
        }

        /** An answer that cannot be read says nothing of what was written. */
        private CommandResult written(WriteObject write, Answered answer) {
            try (JsonParser parser = JsonCursor.PARSERS.createParser(answer.body())) {
                parser.nextToken();
                ObjectMeta now = reader.readIdentity(
                                parser, write.patch().kind().objectKind())
                        .meta();
                return new CommandResult.Written(
                        write.pod(),
                        now.uid(),
                        now.resourceVersion(),
                        clock.instant().getEpochSecond());
            } catch (IOException | ObjectReadException | UncheckedIOException unreadable) {
                return new CommandResult.Written(write.pod());
            }
        }

        static Outcome refused(WriteObject write, WriteFailure failure, String message) {
            if (write.awaited()) {
                return new Outcome.Done(new CommandResult.NotWritten(write.pod(), failure, message));
            }
            return new Outcome.Dropped(Drop.REFUSED, message);
        }

        private ApiCall call(ObjectPatch patch, Kind<?> version) {
            String path = version.path(patch.object());
            return switch (patch.form()) {
                case MERGE -> ApiCall.send("PATCH", path, "application/merge-patch+json", changed(patch));
                case MERGE_LISTS -> ApiCall.send("PATCH", path, STRATEGIC_MERGE, changed(patch));
                case STATUS -> ApiCall.send("PATCH", path + "/status", STRATEGIC_MERGE, changed(patch));
                case CREATE ->
                    ApiCall.send(
                            "POST", path.substring(0, path.lastIndexOf('/')), "application/json", made(patch, version));
                case DELETE ->
                    ApiCall.send(
                            "DELETE",
                            path,
                            "application/json",
                            deleteOptions(patch.object()).json());
            };
        }

        private String made(ObjectPatch patch, Kind<?> version) {
            Tree metadata = new Tree()
                    .putNonEmpty("namespace", patch.object().namespace())
                    .put("name", patch.object().name());
            Tree object = new Tree().put("apiVersion", version.apiVersion()).put("kind", version.objectKind());
            Tree made = withMetadata(object, metadata, patch.changes());
            if (version.table() != patch.kind().table()) {
                String asThere =
                        new ObjectWriter(Kinds.of(List.of(version))).json(reader.read(made(patch, patch.kind())));
                made.put("spec", new Tree.Raw(Trees.parse(asThere).get("spec").toString()));
            }
            return made.json();
        }

        /** The server refuses where the object has another version by now, or is another. */
        private String changed(ObjectPatch patch) {
            ObjectMeta object = patch.object();
            Tree metadata = object.resourceVersion().isEmpty()
                    ? new Tree().putNonEmpty("uid", object.uid())
                    : new Tree().put("resourceVersion", object.resourceVersion());
            return withMetadata(new Tree(), metadata, patch.changes()).json();
        }

        private Tree withMetadata(Tree object, Tree metadata, Map<String, @Nullable Object> changes) {
            if (changes.get("metadata") instanceof Map<?, ?> more) {
                tree(metadata, more);
            }
            return tree(object, changes).put("metadata", metadata);
        }

        private Tree tree(Tree tree, Map<?, ?> fields) {
            fields.forEach((field, value) -> tree.put((String) field, value(value)));
            return tree;
        }

        private @Nullable Object value(@Nullable Object value) {
            return switch (value) {
                case null -> null;
                case Map<?, ?> inner -> tree(new Tree(), inner);
                case List<?> elements -> elements.stream().map(this::value).toList();
                case ObjectPatch.Time _ -> ApiTime.seconds(clock.instant());
                case String plain -> plain;
                case Boolean plain -> plain;
                case Number plain -> plain;
                case Tree.Raw json -> json;
                default -> throw new IllegalArgumentException("cannot be written: " + value);
            };
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

    /**
     * Evicts pods: their users read in the status for whom, and then they are deleted, with the grace that they ask for. Either,
     * done twice, is the same as done once, so whatever may pass is tried again.
     */
    private record PodEvictor(ApiTransport transport, BooleanSupplier mayWrite, InstantSource clock) {
        private static final Logger log = LoggerFactory.getLogger(PodEvictor.class);

        Outcome evict(Evict evict, int attempts) {
            try {
                if (!isMarked(evict)) {
                    Outcome marked = send(evict, mark(evict), attempts);
                    if (!isDone(marked)) {
                        return marked;
                    }
                }
                Outcome deleted = send(evict, delete(evict), attempts);
                if (isDone(deleted)) {
                    line(log.atInfo(), "Evicted pod", evict).log();
                }
                return deleted;
            } catch (IOException noAnswer) {
                return again(evict, attempts, Optional.empty(), "no answer: " + noAnswer);
            }
        }

        /** As a pod is that was to go before, and stayed. */
        private static boolean isMarked(Evict evict) {
            PodCondition due = evict.disrupted();
            return evict.pod()
                    .status()
                    .disruptionTarget()
                    .filter(has -> has.status().equals(due.status())
                            && has.reason().equals(due.reason())
                            && has.message().equals(due.message())
                            && has.observedGeneration() == due.observedGeneration())
                    .isPresent();
        }

        private ApiCall mark(Evict evict) {
            PatchStatus patch = new PatchStatus(evict.pod(), Optional.of(evict.disrupted()), Optional.empty());
            return StatusPatcher.call(patch, clock.instant());
        }

        private static ApiCall delete(Evict evict) {
            return ApiCall.send(
                    "DELETE",
                    Kinds.POD.path(evict.pod().meta()),
                    "application/json",
                    deleteOptions(evict.pod().meta()).json());
        }

        /** The lease is looked at before each request: what a former leader has chosen to go need not go any more. */
        private Outcome send(Evict evict, ApiCall call, int attempts) throws IOException {
            if (!mayWrite.getAsBoolean()) {
                return stays(evict, "the lease was not renewed in time");
            }
            return judge(evict, Answered.write(transport, call), attempts);
        }

        private static Outcome judge(Evict evict, Answered answer, int attempts) {
            if (answer.isSuccess()) {
                return new Outcome.Done(new CommandResult.Evicted(evict.pod()));
            }
            String message = answer.status().explanation();
            if (answer.mayPass()) {
                return again(evict, attempts, answer.retryAfter(), message);
            }
            return answer.isPodGone()
                    ? new Outcome.Done(new CommandResult.NotEvicted(evict.pod(), EvictionFailure.GONE, message))
                    : stays(evict, message);
        }

        private static boolean isDone(Outcome outcome) {
            return outcome instanceof Outcome.Done(CommandResult.Evicted _);
        }

        private static Outcome again(Evict evict, int attempts, Optional<Duration> retryAfter, String message) {
            return attempts + 1 < Retries.MOST_ATTEMPTS
                    ? new Outcome.TryAgain(retryAfter, message)
                    : stays(evict, message);
        }

        /** Not evicted, as far as is known. */
        static Outcome stays(Evict evict, String message) {
            line(log.atWarn(), "Eviction failed", evict)
                    .addKeyValue("why", message)
                    .log();
            return new Outcome.Done(new CommandResult.NotEvicted(evict.pod(), EvictionFailure.FAILED, message));
        }

        private static LoggingEventBuilder line(LoggingEventBuilder level, String what, Evict evict) {
            return level.setMessage(what)
                    .addKeyValue("pod", evict.pod().key())
                    .addKeyValue("preemptor", evict.preemptor().key());
        }
    }

    /**
     * Binds pods. Where it is not known what the server did, the pod may be bound, and another try may only tell that it is:
     *
     * <pre>
     * answer                             without another try    with it
     * 429                                again                  again
     * 500, 503, connection refused       unknown                again, at last unknown
     * 409 without a reason that stays    refused                again, at last unknown
     * 409 with one, 404                  what it says           what it says
     * no answer, another 5xx             unknown                unknown
     * any other, a plugin's objection    refused                refused; unknown if it is not the first
     * </pre>
     */
    private record PodBinder(ApiTransport transport, Extenders extenders, BooleanSupplier mayBind, boolean rebinds) {
        /** Lets the PreBind plugins work, and the extender that wants to bind the pod: it takes none of the server's time. */
        Outcome prepare(Bind bind) {
            if (!mayBind.getAsBoolean()) {
                return notLeading(bind, 0);
            }
            Status status = bind.steps().before();
            if (!status.isSuccess()) {
                return objected(bind, status, 0);
            }
            return extenders.haveBinderOf(bind.pod())
                    ? extenders.inPlace(() -> bindByExtender(bind))
                    : new Outcome.Prepared();
        }

        /** Where it fails, the extender may have bound the pod nevertheless: the server is asked. */
        private Outcome bindByExtender(Bind bind) {
            if (!mayBind.getAsBoolean()) {
                return notLeading(bind, 0);
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
                return notLeading(bind, attempts);
            }
            try {
                Status status = bind.steps().bind();
                if (status.isSuccess()) {
                    return bound(bind);
                }
                return status.isSkip() ? bindOwnWay(bind, attempts) : objected(bind, status, attempts);
            } catch (PluginFailure failure) {
                return refused(
                        bind,
                        BindFailure.UNKNOWN,
                        failure.asObjection().status().message());
            }
        }

        private static Optional<Status.Code> result(Outcome outcome) {
            return switch (outcome) {
                case Outcome.Bound _ -> Optional.of(Status.Code.SUCCESS);
                case Outcome.Done _ -> Optional.of(Status.Code.ERROR);
                default -> Optional.empty();
            };
        }

        private Outcome objected(Bind bind, Status status, int attempts) {
            BindFailure failure = status.isRejected() ? BindFailure.REJECTED : BindFailure.FAILED;
            return refused(bind, after(attempts, failure), status.message());
        }

        private Outcome bindOwnWay(Bind bind, int attempts) {
            // Plugins may have taken their time, so the lease is looked at once more, right before it counts.
            if (!mayBind.getAsBoolean()) {
                return notLeading(bind, attempts);
            }
            long began = bind.steps().beginOwnWay();
            Outcome outcome = write(bind, attempts).carryOut(transport);
            bind.steps().endOwnWay(began, result(outcome));
            return outcome;
        }

        private Write write(Bind bind, int attempts) {
            ApiCall call = ApiCall.send(
                    "POST",
                    Kinds.POD.path(bind.pod().meta()) + "/binding",
                    "application/json",
                    body(bind.pod(), bind.node()));
            return new Write(
                    call, answer -> judge(bind, answer, attempts), noAnswer -> unanswered(bind, noAnswer, attempts));
        }

        private Outcome judge(Bind bind, Answered answer, int attempts) {
            if (answer.isSuccess()) {
                return bound(bind);
            }
            String message = answer.status().explanation();
            if (answer.isTooMany() && attempts + 1 < Retries.MOST_ATTEMPTS) {
                return new Outcome.TryAgain(answer.retryAfter(), message);
            }
            BindFailure failure = failure(answer, message);
            if (mayRebind(attempts) && isOfTheMoment(answer, failure)) {
                return rebind(attempts, answer.retryAfter(), message);
            }
            return refused(bind, failure == BindFailure.FAILED ? after(attempts, failure) : failure, asPlugin(message));
        }

        private Outcome unanswered(Bind bind, IOException why, int attempts) {
            String message = "no answer to the binding: " + why;
            return mayRebind(attempts) && NoAnswer.isRefusedConnection(why)
                    ? rebind(attempts, Optional.empty(), message)
                    : refused(bind, BindFailure.UNKNOWN, asPlugin(message));
        }

        private boolean mayRebind(int attempts) {
            return rebinds && attempts + 1 < Retries.MOST_BINDINGS;
        }

        private static Outcome rebind(int attempts, Optional<Duration> retryAfter, String message) {
            return new Outcome.TryAgain(retryAfter.or(() -> Optional.of(Retries.untilNextBinding(attempts))), message);
        }

        /** The server also calls a conflict what it does not know otherwise. */
        private static boolean isOfTheMoment(Answered answer, BindFailure failure) {
            return switch (answer.code()) {
                case 409 -> failure == BindFailure.FAILED;
                case 500 -> !answer.status().reason().equals("ServerTimeout");
                case 503 -> true;
                default -> false;
            };
        }

        private static BindFailure failure(Answered answer, String message) {
            if (answer.isUnclear()) {
                return BindFailure.UNKNOWN;
            }
            if (answer.isNoSuchPod()) {
                return BindFailure.GONE;
            }
            return answer.code() == 409 ? conflict(message) : BindFailure.FAILED;
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

        private Outcome notLeading(Bind bind, int attempts) {
            return refused(bind, after(attempts, BindFailure.NOT_LEADING), "the lease was not renewed in time");
        }

        /** What a failure says that does not tell whether an attempt before has bound the pod. */
        private BindFailure after(int attempts, BindFailure ofTheLast) {
            return rebinds && attempts > 0 ? BindFailure.UNKNOWN : ofTheLast;
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
                            new Tree()
                                    .put("apiVersion", "v1")
                                    .put("kind", "Node")
                                    .put("name", node))
                    .json();
        }
    }

    /**
     * Writes conditions and nominated nodes into pods, and conditions into groups, by strategic merge patches, where conditions are
     * merged by type. A UID in them spares another object of the name. Written twice they are the same, so whatever may pass is
     * tried again.
     */
    record StatusPatcher(ApiTransport transport, BooleanSupplier mayWrite, InstantSource clock) {
        private static final Logger log = LoggerFactory.getLogger(StatusPatcher.class);

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
            return mayWrite.getAsBoolean() ? write(patch, attempts).carryOut(transport) : new Outcome.Held();
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
            patch.conditions()
                    .forEach(condition -> log.atDebug()
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
            if (!patch.conditions().isEmpty()) {
                status.put(
                        "conditions",
                        patch.conditions().stream()
                                .map(condition -> written(patch.pod(), condition, now))
                                .toList());
            }
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
            if (condition.status().isEmpty()) {
                return written.put("$patch", "delete");
            }
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
            return Stream.of(pod.status().scheduled(), pod.status().shard())
                    .flatMap(Optional::stream)
                    .filter(before -> before.type().equals(condition.type())
                            && before.status().equals(condition.status())
                            && !before.lastTransitionTime().isEmpty())
                    .map(PodCondition::lastTransitionTime)
                    .findFirst()
                    .orElseGet(() -> ApiTime.seconds(now));
        }

        private static @Nullable String orClear(String value) {
            return value.isEmpty() ? null : value;
        }
    }
}
