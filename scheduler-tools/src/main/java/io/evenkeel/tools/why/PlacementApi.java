package io.evenkeel.tools.why;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Output;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * {@code why.evenkeel.io/v1alpha1}: the placement of each pod, for users who may {@code get} the subresource
 * {@code pods/placement} in its namespace. Pods of other namespaces are named only to those who may in all.
 *
 * @param synced whether the cluster is known
 * @param queue what is known of a pod that waits, by its key, and of others
 * @param server is asked for pods that the engine does not keep: pods that wait for other schedulers
 */
public record PlacementApi(
        ClusterCopy copy,
        BooleanSupplier synced,
        Function<String, QueueKnowledge> queue,
        PodsAtServer server,
        QuestionDeadline patience) {
    static final String GROUP = "why.evenkeel.io";
    static final String VERSION = "v1alpha1";
    public static final String NAMESPACES = "/apis/" + GROUP + "/" + VERSION + "/namespaces/";

    PlacementApi(
            ClusterCopy copy, BooleanSupplier synced, Function<String, QueueKnowledge> queue, PodsAtServer server) {
        this(copy, synced, queue, server, QuestionDeadline.OF_A_CLIENT);
    }

    void addTo(Routes routes) {
        Discovery.addTo(routes);
        routes.addBelow(NAMESPACES, this::answer);
    }

    Answer answer(Request request) {
        try {
            Optional<PlacementRequest> question = PlacementRequest.of(request);
            if (question.isEmpty()) {
                return ErrorStatus.notFound("", "the server could not find the requested resource");
            }
            if (!synced.getAsBoolean()) {
                return ErrorStatus.unavailable("the cluster is not known yet: caches are not synced");
            }
            return answer(question.get(), asker(request, question.get()));
        } catch (BadQuestionException bad) {
            return ErrorStatus.badRequest(String.valueOf(bad.getMessage()));
        } catch (ExecutionException _) {
            return ErrorStatus.internal("the question failed by a bug; the scheduler's log says which");
        } catch (TooManyQuestionsException _) {
            return ErrorStatus.tooMany();
        } catch (NoCopyException notYet) {
            return ErrorStatus.unavailable(String.valueOf(notYet.getMessage()), notYet.seconds());
        } catch (EngineUnavailableException silent) {
            return ErrorStatus.unavailable(String.valueOf(silent.getMessage()));
        } catch (CancellationException | CancelledQuestionException _) {
            return ErrorStatus.unavailable("the client does not wait for the answer any more");
        } catch (QuestionTimedOutException late) {
            return ErrorStatus.unavailable(String.valueOf(late.getMessage()));
        } catch (IOException noAnswer) {
            return ErrorStatus.unavailable(
                    "the API server does not say whether there is such a pod: " + NoAnswer.why(noAnswer));
        }
    }

    private static Requester asker(Request request, PlacementRequest question) {
        Predicate<Pod> nameable =
                question.ofAll() ? _ -> true : pod -> pod.namespace().equals(question.namespace());
        return new Requester(request.user(), nameable, request.stillThere());
    }

    private Reply answer(PlacementRequest question, Requester asker)
            throws QuestionTimedOutException, TooManyQuestionsException, ExecutionException, IOException {
        QueueKnowledge known = queue.apply(question.key());
        Optional<PodReport> report =
                ask(question, asker, (copy, by) -> copy.about(question.key(), known.onTheirWay(), by));
        if (report.isEmpty()) {
            Optional<Pod> unknown = server.find(question.namespace(), question.name())
                    .filter(pod -> !pod.status().isFinished());
            report = unknown.isPresent()
                    ? Optional.of(ask(question, asker, (copy, by) -> copy.about(unknown.get(), by)))
                    : Optional.empty();
        }
        return report.isPresent()
                ? reply(question, complete(report.get(), known, question))
                : ErrorStatus.notFound("pods", "pods \"" + question.name() + "\" not found, or it has finished");
    }

    private PodReport complete(PodReport report, QueueKnowledge known, PlacementRequest question) {
        PodReport there = known.queued().map(report::inQueue).orElse(report);
        boolean namesOthers = question.ofAll()
                || !(report.state() instanceof PodReport.State.Waits
                        || report.state() instanceof PodReport.State.GangWaits);
        return namesOthers
                ? there
                : there.remarking(
                        "pods of other namespaces are not named, nor was it tried whether their going would help");
    }

    private <T> T ask(PlacementRequest about, Requester asker, ClusterCopy.Question<T> question)
            throws QuestionTimedOutException, TooManyQuestionsException, ExecutionException {
        try {
            return patience.await(copy.ask(asker, about.key(), question));
        } catch (ExecutionException failed) {
            switch (Optional.<Throwable>ofNullable(failed.getCause()).orElse(failed)) {
                case CancelledQuestionException unwanted -> throw unwanted;
                case NoCopyException notYet -> throw notYet;
                case EngineUnavailableException silent -> throw silent;
                case TooManyQuestionsException tooMany -> throw tooMany;
                default -> throw failed;
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            throw new QuestionTimedOutException("the scheduler ends");
        }
    }

    private static Reply reply(PlacementRequest question, PodReport report) {
        if (question.output().isPresent()) {
            Output output = question.output().get();
            return Reply.of(200, output.mediaType(), output.of(report, question.layout()) + "\n");
        }
        return Reply.json(
                200,
                new Tree()
                        .put("kind", Discovery.KIND)
                        .put("apiVersion", GROUP + "/" + VERSION)
                        .put("metadata", new Tree().put("name", question.name()).put("namespace", question.namespace()))
                        .put("status", report.tree())
                        .json());
    }

    /** Answers what an API server, and kubectl, want to know of an API group before they use it. */
    private static final class Discovery {
        static final String KIND = "Placement";

        private static final String GROUP_VERSION = PlacementApi.GROUP + "/" + PlacementApi.VERSION;
        private static final String PREFERRED =
                "{\"groupVersion\":\"" + GROUP_VERSION + "\",\"version\":\"" + PlacementApi.VERSION + "\"}";
        private static final String NAMED = "\"name\":\"" + PlacementApi.GROUP + "\",\"versions\":[" + PREFERRED
                + "],\"preferredVersion\":" + PREFERRED;
        private static final String GROUP = "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\"," + NAMED + "}";
        private static final String GROUPS =
                "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[{" + NAMED + "}]}";
        private static final String RESOURCES =
                "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\""
                        + GROUP_VERSION + "\",\"resources\":[{\"name\":\"pods/placement\",\"singularName\":\"\","
                        + "\"namespaced\":true,\"kind\":\"" + KIND + "\",\"verbs\":[\"get\"]}]}";
        /** Without schemas: what is shown of an answer's fields is in docs/why.md. */
        private static final String SWAGGER = "{\"swagger\":\"2.0\",\"info\":{\"title\":\"" + PlacementApi.GROUP
                + "\",\"version\":\"" + PlacementApi.VERSION + "\"},\"paths\":{}}";

        private static final String OPENAPI_3 = "{\"paths\":{}}";

        private Discovery() {}

        static void addTo(Routes routes) {
            routes.add("/apis", _ -> Reply.json(200, GROUPS))
                    .add("/apis/" + PlacementApi.GROUP, _ -> Reply.json(200, GROUP))
                    .add("/apis/" + GROUP_VERSION, _ -> Reply.json(200, RESOURCES))
                    .add("/openapi/v2", _ -> Reply.json(200, SWAGGER))
                    .add("/openapi/v3", _ -> Reply.json(200, OPENAPI_3));
        }
    }

    /**
     * How long somebody waits for an answer: for so long until it is the question's turn, and from then on for so long again, so
     * that no question has less time for the ones that came before it. An asker that has waited for too long gives up.
     *
     * @param waiting how this thread waits
     */
    record QuestionDeadline(Waiting waiting) {
        private static final Duration FOR_THE_TURN = Duration.ofSeconds(15);
        private static final Duration FOR_THE_ANSWER = Duration.ofSeconds(10);

        /** Waits until something is done, or for so long; handed in, so that tests need not. */
        @FunctionalInterface
        interface Waiting {
            void until(Future<?> done, Duration longest)
                    throws InterruptedException, ExecutionException, TimeoutException;
        }

        static final QuestionDeadline OF_A_CLIENT =
                new QuestionDeadline((done, longest) -> done.get(longest.toNanos(), TimeUnit.NANOSECONDS));

        /** @throws QuestionTimedOutException where it takes too long */
        <T> T await(PendingAnswer<T> answer)
                throws ExecutionException, InterruptedException, QuestionTimedOutException {
            try {
                await(
                        answer.turn(),
                        FOR_THE_TURN,
                        "it was not the question's turn within %d seconds, as others wait too");
                await(answer, FOR_THE_ANSWER, "no answer within %d seconds");
                return answer.get();
            } finally {
                answer.cancel(false);
            }
        }

        private void await(Future<?> done, Duration longest, String late)
                throws ExecutionException, InterruptedException, QuestionTimedOutException {
            try {
                waiting.until(done, longest);
            } catch (TimeoutException _) {
                throw new QuestionTimedOutException(late.formatted(longest.toSeconds()));
            }
        }
    }

    /** The asker has waited for too long. The message is one line for them. */
    static final class QuestionTimedOutException extends Exception {
        private static final long serialVersionUID = 1L;

        QuestionTimedOutException(String message) {
            super(message);
        }
    }
}
