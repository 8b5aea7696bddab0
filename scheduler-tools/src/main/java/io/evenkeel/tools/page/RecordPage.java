package io.evenkeel.tools.page;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.record.RecordException;
import io.evenkeel.app.record.Said;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.PodBinding.Stage;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.observe.WorkloadTable;
import io.evenkeel.tools.page.PageAnswers.View;
import io.evenkeel.tools.page.PageAnswers.ViewQuestion;
import io.evenkeel.tools.rerun.RecordPlayer;
import io.evenkeel.tools.rerun.RecordPlayer.Playing;
import io.evenkeel.tools.rerun.RecordPlayer.Taker;
import io.evenkeel.tools.why.BadQuestionException;
import io.evenkeel.tools.why.CancelledQuestionException;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.CopyAnswers;
import io.evenkeel.tools.why.CopyAnswers.QuestionTimedOutException;
import io.evenkeel.tools.why.EngineUnavailableException;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.Supposition.SuppositionException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The page of a record, at an address of its own on loopback: the same views as of the moment that each request names. A few moments are
 * kept, one for each who looks; from there the record is played on, or from the beginning of its file.
 */
public final class RecordPage implements AutoCloseable {
    private static final String SOURCE = "record";
    private static final String AT = "at";

    /** Each has the objects of a cluster. */
    private static final int MOST_MOMENTS = 3;

    private static final int DECISIONS_BEFORE = 190;
    private static final int DECISIONS_AFTER = 10;
    private static final Duration FOR_THE_TURN = Duration.ofSeconds(15);
    private static final Duration FOR_THE_ANSWER = Duration.ofSeconds(10);

    /** Whoever asks again finds it played so far. */
    private static final Duration FOR_PLAYING = Duration.ofSeconds(5);

    private final RecordPlayer player;
    private final String version;
    private final PluginRegistry plugins;
    private final BiConsumer<Pod, RuntimeException> faults;
    private final RecordOverview overview;
    private final EndpointServer server;
    private final ReentrantLock lock = new ReentrantLock(true);

    /** The one looked at last is the last. */
    private final List<PastCluster> moments = new ArrayList<>();

    private Optional<PastCluster> ahead = Optional.empty();

    /**
     * Begins to serve.
     *
     * @param port 0 for any free one
     * @param version of this program
     * @param faults hears of plugins that fail as they are asked
     * @throws IOException if the port is taken
     */
    public RecordPage(
            int port,
            RecordPlayer player,
            String version,
            PluginRegistry plugins,
            BiConsumer<Pod, RuntimeException> faults)
            throws IOException {
        this.player = player;
        this.version = version;
        this.plugins = plugins;
        this.faults = faults;
        overview = new RecordOverview(player);
        Routes routes = new Routes();
        PageFiles.addTo(routes);
        PageAnswers answers = new PageAnswers(new Past(), WorkloadTable.spreads(player.configuration()));
        answers.addTo(routes);
        answers.add(routes, "state", _ -> Reply.json(200, state().json()));
        answers.add(
                routes,
                "moment",
                request -> CopyAnswers.guarded(
                        () -> Reply.json(200, at(request, RecordPage::moment).json())));
        answers.add(
                routes,
                "decisions",
                request -> CopyAnswers.guarded(
                        () -> Reply.json(200, decisions(request).json())));
        server = EndpointServer.plain(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                routes,
                AccessControl.OPEN_TO_ALL,
                (_, _) -> {});
        overview.start();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.address().getPort() + Page.PATH);
    }

    private Tree state() {
        return new Tree()
                .put("version", Page.VERSION)
                .put("evenkeel", version)
                .put("kubernetes", player.configuration().featureGates().level().toString())
                .put("source", SOURCE)
                .put("cluster", player.path().toString())
                .put("synced", true)
                .put(
                        "schedulers",
                        player.configuration().profiles().stream()
                                .map(Profile::schedulerName)
                                .toList())
                .put("canApply", false)
                .put("time", Instant.now().toString())
                .put(
                        "record",
                        new Tree()
                                .put("first", player.first().toString())
                                .put("last", player.last().toString())
                                .put(AT, player.meant().toString())
                                .put("remarks", player.remarks())
                                .put("overview", overview.tree()));
    }

    private static Tree moment(PastCluster past, Instant moment, Requester by) {
        return new Tree()
                .put(AT, moment.toString())
                .put("event", past.playing.events())
                .put("waiting", past.copy.waiting().size());
    }

    /** Those before the moment, and some after it: from a moment of its own, which runs ahead. */
    private Tree decisions(Request request) throws BadQuestionException, QuestionTimedOutException, ExecutionException {
        Instant moment = momentOf(request);
        return inTurn(request, goesOn -> {
            int part = player.partOf(moment);
            ahead.filter(past -> past.playing.part() != part || !past.decisions.know(moment, DECISIONS_BEFORE))
                    .ifPresent(elsewhere -> {
                        elsewhere.close();
                        ahead = Optional.empty();
                    });
            PastCluster past = ahead.orElseGet(() -> new PastCluster(part));
            ahead = Optional.of(past);
            past.playTo(moment, goesOn);
            past.playing.playTo(
                    Instant.MAX, () -> goesOn.getAsBoolean() && past.decisions.after(moment) < DECISIONS_AFTER);
            return new Tree()
                    .put(AT, moment.toString())
                    .put("decisions", past.decisions.around(moment, DECISIONS_BEFORE, DECISIONS_AFTER));
        });
    }

    private Instant momentOf(Request request) throws BadQuestionException {
        Optional<String> text = PageAnswers.value(request, AT);
        try {
            return text.map(Instant::parse).orElse(player.meant());
        } catch (DateTimeParseException senseless) {
            throw new BadQuestionException(
                    "at: expected a time such as " + player.first() + ", got " + Excerpt.quoted(text.orElse("")));
        }
    }

    /** A question about a moment. */
    @FunctionalInterface
    private interface MomentQuestion<T> {
        T answer(PastCluster past, Instant moment, Requester by);
    }

    /** What is done in a request's turn, as long as it goes on. */
    @FunctionalInterface
    private interface Turn<T> {
        T take(BooleanSupplier goesOn) throws BadQuestionException, QuestionTimedOutException, ExecutionException;
    }

    private <T> T at(Request request, MomentQuestion<T> question)
            throws BadQuestionException, QuestionTimedOutException, ExecutionException {
        Instant moment = momentOf(request);
        return inTurn(request, goesOn -> {
            PastCluster past = standingAt(moment);
            past.playTo(moment, goesOn);
            Optional<String> gap = past.playing.gapBefore(moment);
            if (gap.isPresent()) {
                throw new BadQuestionException("at: " + gap.get());
            }
            BooleanSupplier isTime = PageAnswers.within(FOR_THE_ANSWER);
            BooleanSupplier isThere = request.stillThere();
            try {
                return question.answer(
                        past,
                        moment,
                        new Requester("", _ -> true, () -> isTime.getAsBoolean() && isThere.getAsBoolean()));
            } catch (CancelledQuestionException _) {
                throw new QuestionTimedOutException("no answer within " + FOR_THE_ANSWER.toSeconds() + " seconds");
            } catch (SuppositionException senseless) {
                throw new ExecutionException(senseless);
            }
        });
    }

    private <T> T inTurn(Request request, Turn<T> turn)
            throws BadQuestionException, QuestionTimedOutException, ExecutionException {
        try {
            if (!lock.tryLock(FOR_THE_TURN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new QuestionTimedOutException("it was not the question's turn within " + FOR_THE_TURN.toSeconds()
                        + " seconds, as others wait too");
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            throw new CancellationException();
        }
        try {
            BooleanSupplier isTime = PageAnswers.within(FOR_PLAYING);
            BooleanSupplier isThere = request.stillThere();
            return turn.take(() -> isTime.getAsBoolean() && isThere.getAsBoolean());
        } catch (RecordException damaged) {
            throw new BadQuestionException("at: " + damaged.getMessage());
        } catch (Error broken) {
            letGo(); // what is counted of the clusters may be wrong
            throw new IllegalStateException(broken);
        } finally {
            lock.unlock();
        }
    }

    /** The kept moment from which it is not far, or a new one at the beginning of its file. */
    private PastCluster standingAt(Instant moment) {
        int part = player.partOf(moment);
        PastCluster found = moments.stream()
                .filter(past -> past.playing.part() == part && past.playing.canReach(moment))
                .max(Comparator.comparing(past -> past.playing.reached()))
                .orElseGet(() -> new PastCluster(part));
        moments.remove(found);
        moments.addLast(found);
        if (moments.size() > MOST_MOMENTS) {
            moments.removeFirst().close();
        }
        return found;
    }

    private void letGo() {
        moments.forEach(PastCluster::close);
        moments.clear();
        ahead.ifPresent(PastCluster::close);
        ahead = Optional.empty();
    }

    @Override
    public void close() {
        server.close();
        overview.end();
        letGo();
    }

    /** The cluster as it was, and what had become of pods before. */
    private final class PastCluster implements Taker, AutoCloseable {
        private final ClusterQuestions copy =
                new ClusterQuestions(player.configuration(), plugins, Judgement.OWN, faults);
        private final Decisions decisions = new Decisions(this::now);
        private final View view = new View(copy, new NodePicture(copy.cluster()), decisions::nodeChanges);

        /** By the pod: bound by a command, and not yet shown in place. */
        private final Map<String, OnItsWay> onTheirWay = new LinkedHashMap<>();

        private final Playing playing;
        private Instant now = player.first();

        PastCluster(int part) {
            playing = player.play(part, this);
        }

        private Instant now() {
            return now;
        }

        void playTo(Instant moment, BooleanSupplier goesOn) {
            if (!playing.playTo(moment, goesOn)) {
                throw new EngineUnavailableException("the record is being played; it has come to " + playing.reached());
            }
        }

        @Override
        public void began(Instant time, List<KubernetesObject> known) {
            now = time;
            copy.tell(known);
        }

        @Override
        public void took(Instant time, SchedulerEvent event) {
            now = time;
            switch (event) {
                case ClusterEvent change -> {
                    shown(change);
                    decisions.news(copy, change);
                    copy.follow(change);
                }
                case Relist change -> copy.follow(change);
                case CommandResult.NotBound(Pod pod, var _, var failure, var _)
                when failure != BindFailure.UNKNOWN && failure != BindFailure.ALREADY_BOUND ->
                    onTheirWay.remove(pod.key());
                case CommandResult.Found(Pod pod, var found) -> lookedUp(pod, found.filter(Pod::isPlaced), time);
                default -> {}
            }
        }

        /** A pod of which no clear answer came: it is on a node, or on its way no more. */
        private void lookedUp(Pod pod, Optional<Pod> placed, Instant time) {
            if (onTheirWay.remove(pod.key()) != null) {
                placed.ifPresent(there -> took(time, new ClusterEvent.Put(there)));
            }
        }

        private void shown(ClusterEvent change) {
            switch (change) {
                case ClusterEvent.Put(Pod pod) when pod.isPlaced() -> onTheirWay.remove(pod.key());
                case ClusterEvent.Removed(Pod pod) -> onTheirWay.remove(pod.key());
                default -> {}
            }
        }

        @Override
        public void decided(Said command) {
            if (command.isBinding()) {
                copy.find(command.pod())
                        .ifPresent(pod -> onTheirWay.put(
                                command.pod(), new OnItsWay(pod, command.target(), Stage.ANSWER.name(), 0)));
            }
        }

        @Override
        public void close() {
            playing.close();
        }
    }

    /** The cluster at the moment that a request names. */
    private final class Past implements PageAnswers.Source {
        @Override
        public <T> T ask(Request request, ViewQuestion<T> question)
                throws BadQuestionException, QuestionTimedOutException, ExecutionException {
            return at(request, (past, _, by) -> question.answer(past.view, request, by));
        }

        @Override
        public Optional<PodReport> report(Request request, String namespace, String name)
                throws BadQuestionException, QuestionTimedOutException, ExecutionException {
            return at(request, (past, _, by) -> past.copy.about(namespace + "/" + name, past.onTheirWay.values(), by));
        }

        @Override
        public List<KubernetesObject> known(Request request)
                throws BadQuestionException, QuestionTimedOutException, ExecutionException {
            return at(request, (past, _, _) -> past.copy.known());
        }

        @Override
        public SchedulerConfiguration configuration() {
            return player.configuration();
        }

        @Override
        public PluginRegistry plugins() {
            return plugins;
        }

        @Override
        public Set<String> parameters() {
            return Set.of(AT);
        }

        /** Each looks at a moment of its own. */
        @Override
        public Answer shared(String question, Supplier<Answer> making) {
            return making.get();
        }
    }
}
