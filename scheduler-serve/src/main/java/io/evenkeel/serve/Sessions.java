package io.evenkeel.serve;

import evenkeel.whatif.v1.Origin;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.serve.TrialClusters.Answering;
import io.evenkeel.serve.WhatIfMetrics.Refusal;
import io.evenkeel.tools.why.CancelledQuestionException;
import io.evenkeel.tools.why.CopyAnswers.QuestionTimedOutException;
import io.evenkeel.tools.why.EngineUnavailableException;
import io.evenkeel.tools.why.NoCopyException;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.TooManyQuestionsException;
import io.evenkeel.tools.why.Workload;
import io.evenkeel.whatif.ClusterSnapshot;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of a server. Each has one request underway: the next is read when that is answered. What sessions do with clusters
 * of their own takes turns for the processors that the server leaves them.
 */
final class Sessions {
    private static final Logger log = LoggerFactory.getLogger(Sessions.class);

    private final ClusterSource source;
    private final WhatIfLimits limits;
    private final WhatIfMetrics metrics;
    private final LongSupplier nanos;
    private final Semaphore processors;
    private final Kinds kinds;
    private final ObjectReader reader;
    private final Set<Session> open = new HashSet<>();

    /** @param processors for how many requests may be at work on sessions' own clusters at a time */
    Sessions(ClusterSource source, WhatIfLimits limits, WhatIfMetrics metrics, int processors, LongSupplier nanos) {
        this.source = source;
        this.limits = limits;
        this.metrics = metrics;
        this.processors = new Semaphore(processors, true);
        this.nanos = nanos;
        kinds = Kinds.of(source.empty().kinds());
        reader = new ObjectReader(kinds);
    }

    /** Begins a session, or refuses it. */
    StreamObserver<SessionRequest> begin(Client client, StreamObserver<SessionResponse> responses) {
        Session session = new Session(client, (ServerCallStreamObserver<SessionResponse>) responses);
        Optional<Status> refusal = admitted(session);
        if (refusal.isPresent()) {
            responses.onError(refusal.get().asRuntimeException());
            return new Ignored();
        }
        session.start();
        return session;
    }

    private synchronized Optional<Status> admitted(Session session) {
        if (open.size() >= limits.sessions()) {
            metrics.refused(Refusal.SESSIONS);
            return Optional.of(Status.RESOURCE_EXHAUSTED.withDescription(
                    limits.sessions() + " sessions are open, and there are no more at a time"));
        }
        open.add(session);
        return Optional.empty();
    }

    private synchronized void over(Session session) {
        open.remove(session);
    }

    synchronized int count() {
        return open.size();
    }

    /** How many objects sessions' own clusters have, with changes that may be taken back. */
    synchronized int held() {
        return open.stream().mapToInt(session -> session.held).sum();
    }

    /** Ends the sessions of which nothing was heard for long, which do not take their answers, and of users who may not ask any more. */
    void sweep() {
        long now = nanos.getAsLong();
        List<Session> all;
        synchronized (this) {
            all = List.copyOf(open);
        }
        for (Session session : all) {
            if (session.isIdle(now)) {
                session.end(Status.ABORTED.withDescription(
                        "nothing was asked for " + limits.idle().toSeconds() + " seconds"));
            } else if (session.isSlow(now)) {
                // its answer would stay in memory for as long as the connection does
                session.client.leave().run();
                session.forget();
            } else if (!session.client.isStillAllowed().getAsBoolean()) {
                session.end(Status.PERMISSION_DENIED.withDescription("the user may not ask any more"));
            }
        }
    }

    /** Asks of the server's cluster; what keeps the question from its answer is a status. */
    <T> T ask(Client client, BooleanSupplier wanted, BiFunction<ClusterSnapshot, Requester, T> question)
            throws StatusException {
        try {
            return source.ask(Requester.named(client.user(), wanted), question);
        } catch (Exception why) {
            throw status(why).asException();
        }
    }

    List<Pod> waiting(Client client, Workload workload) throws StatusException {
        try {
            return source.waiting(client.user(), workload);
        } catch (Exception why) {
            throw status(why).asException();
        }
    }

    /** Works on something else than the server's cluster, when it is its turn. */
    <T> T inTurn(Supplier<T> work) throws StatusException {
        try {
            processors.acquire();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            throw Status.UNAVAILABLE.withDescription("the server is closed").asException();
        }
        try {
            return work.get();
        } catch (CancelledQuestionException unwanted) {
            throw status(unwanted).asException();
        } finally {
            processors.release();
        }
    }

    private int heldByOthers(Session one) {
        return held() - one.held;
    }

    private static Status status(Exception why) {
        String message = String.valueOf(why.getMessage());
        return switch (why) {
            case StatusException known -> known.getStatus();
            case TooManyQuestionsException _ ->
                Status.RESOURCE_EXHAUSTED.withDescription("too many questions wait already, try again later");
            case QuestionTimedOutException _ -> Status.DEADLINE_EXCEEDED.withDescription(message);
            case NoCopyException _ -> Status.UNAVAILABLE.withDescription(message);
            case EngineUnavailableException _ -> Status.UNAVAILABLE.withDescription(message);
            case CancelledQuestionException _ -> Status.CANCELLED;
            case CancellationException _ -> Status.CANCELLED;
            default -> {
                log.atError().setMessage("What-if failed").setCause(why).log();
                yield Status.INTERNAL.withDescription("the question failed by a bug; the server's log says which");
            }
        };
    }

    /** What comes of a stream that was refused. */
    private static final class Ignored implements StreamObserver<SessionRequest> {
        @Override
        public void onNext(SessionRequest request) {}

        @Override
        public void onError(Throwable gone) {}

        @Override
        public void onCompleted() {}
    }

    /** One session; its requests come one after the other, and its end at any time. */
    private final class Session implements StreamObserver<SessionRequest> {
        final Client client;
        private final ServerCallStreamObserver<SessionResponse> responses;
        private final ObjectsOnWire objects = new ObjectsOnWire(reader, kinds);
        private Optional<TrialClusters> own = Optional.empty();
        private volatile int held;
        private boolean isOpened;
        private boolean isOver;
        private boolean isBusy;
        /** Whether the client has yet to take the last answer, before the next request is read. */
        private boolean isUntaken;

        private long lastHeard = nanos.getAsLong();

        Session(Client client, ServerCallStreamObserver<SessionResponse> responses) {
            this.client = client;
            this.responses = responses;
        }

        void start() {
            responses.setOnCancelHandler(this::forget);
            responses.setOnReadyHandler(this::taken);
            responses.disableAutoRequest();
            responses.request(1);
        }

        synchronized boolean isIdle(long now) {
            return !isBusy && !isUntaken && now - lastHeard > limits.idle().toNanos();
        }

        synchronized boolean isSlow(long now) {
            return isUntaken && now - lastHeard > limits.traffic().slowness().toNanos();
        }

        /** The client has room for answers again. */
        private void taken() {
            synchronized (this) {
                if (!isUntaken) {
                    return;
                }
                isUntaken = false;
                lastHeard = nanos.getAsLong();
            }
            responses.request(1);
        }

        private synchronized void heard(boolean busy) {
            isBusy = busy;
            lastHeard = nanos.getAsLong();
        }

        private synchronized boolean ends() {
            boolean was = isOver;
            isOver = true;
            return !was;
        }

        private void forget() {
            var _ = ends();
            over(this);
        }

        void end(Status why) {
            if (ends()) {
                over(this);
                responses.onError(why.asRuntimeException());
            }
        }

        @Override
        public void onNext(SessionRequest request) {
            heard(true);
            long began = nanos.getAsLong();
            try {
                SessionResponse response = answer(request);
                for (int step = 0; step < Math.min(request.getStepsCount(), response.getResultsCount()); step++) {
                    metrics.did(request.getSteps(step).getStepCase().name());
                }
                synchronized (this) {
                    if (isOver) {
                        return;
                    }
                    responses.onNext(response);
                    if (!responses.isReady()) {
                        isUntaken = true;
                        return;
                    }
                }
                responses.request(1);
            } catch (StatusException refused) {
                end(refused.getStatus());
            } catch (StatusRuntimeException gone) {
                forget();
            } catch (RuntimeException | StackOverflowError bug) {
                log.atError().setMessage("What-if failed").setCause(bug).log();
                end(Status.INTERNAL.withDescription("the request failed by a bug; the server's log says which"));
            } finally {
                heard(false);
                metrics.answered("Session", nanos.getAsLong() - began);
            }
        }

        private SessionResponse answer(SessionRequest request) throws StatusException {
            if (!isOpened) {
                open(request.getOpen().getOrigin());
                isOpened = true;
                metrics.opened(request.getOpen().getOrigin());
            } else if (request.hasOpen()) {
                throw Status.FAILED_PRECONDITION
                        .withDescription("the session is open already")
                        .asException();
            }
            if (own.isEmpty()) {
                SessionResponse response = inPieces(request);
                return source.age()
                        .map(age -> response.toBuilder()
                                .setSeenSecondsAgo(age.toMillis() / 1e3)
                                .build())
                        .orElse(response);
            }
            TrialClusters clusters = own.get();
            int room = room();
            Requester asker = Requester.named(client.user(), this::isWanted);
            return inTurn(() -> {
                SessionResponse response = clusters.answer(request, room, asker::requireWanted);
                held = clusters.held();
                return response;
            });
        }

        /** Where a request changes nothing for long, others have their turns in between. */
        private SessionResponse inPieces(SessionRequest request) throws StatusException {
            Answering answering = new Answering(request, limits);
            do {
                var _ = ask(client, this::isWanted, (cluster, asker) -> {
                    long began = nanos.getAsLong();
                    trials(cluster, false)
                            .goOn(
                                    answering,
                                    limits.objects(),
                                    asker::requireWanted,
                                    () -> nanos.getAsLong() - began
                                            >= limits.piece().toNanos());
                    return true;
                });
            } while (!answering.isDone());
            return answering.response();
        }

        private int room() {
            return Math.min(limits.objects(), limits.objectsOfAll() - heldByOthers(this));
        }

        private TrialClusters trials(ClusterSnapshot cluster, boolean isOwn) {
            return new TrialClusters(cluster, isOwn, objects, limits);
        }

        private boolean isWanted() {
            return !responses.isCancelled();
        }

        private void open(Origin origin) throws StatusException {
            switch (origin) {
                case LIVE -> {}
                case COPY -> {
                    int room = room();
                    own = ask(
                            client,
                            this::isWanted,
                            (cluster, _) -> cluster.size() > room
                                    ? Optional.<TrialClusters>empty()
                                    : Optional.of(trials(cluster.fork(), true)));
                    held = own.orElseThrow(() -> Status.RESOURCE_EXHAUSTED
                                    .withDescription(
                                            "the cluster has more than " + room + " objects, for which there is room")
                                    .asException())
                            .held();
                }
                case EMPTY -> own = Optional.of(trials(source.empty(), true));
                case UNRECOGNIZED ->
                    throw Status.INVALID_ARGUMENT
                            .withDescription("a session begins with LIVE, COPY or EMPTY")
                            .asException();
            }
        }

        @Override
        public void onError(Throwable gone) {
            forget();
        }

        @Override
        public void onCompleted() {
            if (ends()) {
                over(this);
                responses.onCompleted();
            }
        }
    }
}
