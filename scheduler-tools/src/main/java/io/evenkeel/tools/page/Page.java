package io.evenkeel.tools.page;

import io.evenkeel.app.companion.AskedCluster;
import io.evenkeel.app.companion.AskedCluster.Parted;
import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.write.Tree;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.tools.observe.WorkloadTable;
import io.evenkeel.tools.page.PageAnswers.View;
import io.evenkeel.tools.page.PageAnswers.ViewQuestion;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.CopyAnswers;
import io.evenkeel.tools.why.CopyAnswers.QuestionTimedOutException;
import io.evenkeel.tools.why.PlacementApi;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.Questions;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.TooManyQuestionsException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The page beside a live scheduler: its files, and what they ask for. Answers come from the copy of the cluster that {@code why}
 * answers from too, so scheduling pays nothing for who looks.
 */
public final class Page implements Companion.Answering {
    public static final String PATH = "/page/";
    static final String API = PATH + "api/";
    private static final String RUN = "run";
    static final int VERSION = 1;

    /**
     * What the page belongs to.
     *
     * @param source such as {@code run}
     * @param judgement tells the owner of the configuration
     * @param mayApply whether changes may be made from it
     */
    public record Setting(
            String source,
            String version,
            SchedulerConfiguration configuration,
            PluginRegistry plugins,
            Judgement judgement,
            boolean mayApply) {

        /** Questions of the page alone. */
        public Questions questions() {
            return new Questions(configuration, plugins, judgement, WorkloadTable.spreads(configuration), false)
                    .lookingAtLeases();
        }
    }

    private final Setting setting;
    private final Questions questions;
    private final Decisions decisions = new Decisions(InstantSource.system());
    private Optional<AskedCluster> cluster = Optional.empty();

    /** @param questions are a companion of the same scheduler, before this one */
    public Page(Setting setting, Questions questions) {
        this.setting = setting;
        this.questions = questions;
        questions.follow(decisions);
    }

    /** Of {@code run --page} and {@code run --why-api}. */
    public static final class Provider implements CompanionProvider {
        @Override
        public List<Companion> companions(Setup setup) {
            if (setup.page()) {
                Setting setting =
                        new Setting(RUN, setup.version(), setup.configuration(), setup.plugins(), Judgement.OWN, false);
                return List.of(new Page(setting, questions(setup)));
            }
            return setup.answersWhy() ? List.of(questions(setup)) : List.of();
        }
    }

    /** Those of all companions of the scheduler. */
    public static Questions questions(CompanionProvider.Setup setup) {
        return setup.shared()
                .companion(
                        Questions.class,
                        () -> new Questions(
                                setup.configuration(),
                                setup.plugins(),
                                Judgement.OWN,
                                WorkloadTable.spreads(setup.configuration()),
                                setup.answersWhy()));
    }

    @Override
    public void begin(AskedCluster around) {
        cluster = Optional.of(around);
    }

    @Override
    public void close() {
        decisions.end();
    }

    @Override
    public void addTo(Routes routes) {
        AskedCluster live = cluster.orElseThrow();
        PlacementApi placements = questions.placements();
        PageFiles.addTo(routes);
        CopyAnswers answers = placements.answers();
        PageAnswers pages = new PageAnswers(new Copied(live, placements), questions.spreads());
        pages.add(routes, "state", _ -> Reply.json(200, state(live).json()));
        pages.add(routes, "decisions", request -> stream(live, answers, request));
        pages.addTo(routes);
    }

    private Tree state(AskedCluster live) {
        boolean isKnown = live.isKnown();
        Tree tree = new Tree()
                .put("version", VERSION)
                .put("evenkeel", setting.version())
                .put(
                        "kubernetes",
                        setting.configuration().featureGates().level().toString())
                .put("source", setting.source())
                .put("cluster", live.transport().host())
                .put("synced", isKnown)
                .put(
                        "schedulers",
                        setting.configuration().profiles().stream()
                                .map(Profile::schedulerName)
                                .toList())
                .put("canApply", setting.mayApply())
                .put("time", Instant.now().toString());
        Optional<Parted> parted = live.parted();
        return setting.source().equals(RUN) && isKnown && parted.isEmpty()
                ? tree.put("leading", live.isLeading())
                : tree.putPresent("seen", parted.map(Page::seen));
    }

    private static Tree seen(Parted parted) {
        return PodReport.Seen.of(parted).tree();
    }

    private View viewOf(ClusterQuestions copy) {
        return copy.keeping(View.class, () -> {
            decisions.anotherCopy();
            return new View(copy, new NodePicture(copy.cluster()), decisions::nodeChanges);
        });
    }

    /** The copy of the cluster that follows the live scheduler. */
    private final class Copied implements PageAnswers.Source {
        private final AskedCluster live;
        private final PlacementApi placements;
        private final SharedAnswers shared;

        Copied(AskedCluster live, PlacementApi placements) {
            this.live = live;
            this.placements = placements;
            shared = new SharedAnswers(live.machine().clocks().nanos(), LockSupport::parkNanos);
        }

        @Override
        public <T> T ask(Request request, ViewQuestion<T> question)
                throws QuestionTimedOutException, TooManyQuestionsException, ExecutionException {
            placements.answers().requireSynced();
            return placements
                    .answers()
                    .ask(asker(request), request.path(), (copy, by) -> question.answer(viewOf(copy), request, by));
        }

        @Override
        public Optional<PodReport> report(Request request, String namespace, String name)
                throws QuestionTimedOutException, TooManyQuestionsException, ExecutionException, IOException {
            placements.answers().requireSynced();
            return placements.report(namespace, name, asker(request));
        }

        /** Others may wait for the answer, too. */
        private static Requester asker(Request request) {
            return new Requester(request.user(), _ -> true, () -> true);
        }

        @Override
        public List<KubernetesObject> known(Request request) {
            placements.answers().requireSynced();
            return live.answer(Scheduler::known);
        }

        @Override
        public SchedulerConfiguration configuration() {
            return setting.configuration();
        }

        @Override
        public PluginRegistry plugins() {
            return setting.plugins();
        }

        @Override
        public Set<String> parameters() {
            return Set.of();
        }

        @Override
        public Answer shared(String question, Supplier<Answer> making) {
            return shared.answer(question, decisions::clusterChanges, making);
        }
    }

    private Answer stream(AskedCluster live, CopyAnswers answers, Request request) {
        if (!decisions.enter()) {
            return ErrorStatus.tooMany(
                    Decisions.MOST_WATCHERS + " pages are open, and there are no more at a time", 10);
        }
        String last = request.header("Last-Event-ID");
        long after = last.matches("[0-9]{1,18}") ? Long.parseLong(last) : 0;
        return StreamedReply.ofEvents(
                out -> decisions.write(after, request.stillThere(), () -> figures(live, answers), out),
                decisions::leave);
    }

    /** Also keeps the copy there as long as somebody looks, as it is let go where no questions come. */
    private Tree figures(AskedCluster live, CopyAnswers answers) {
        Tree tree = new Tree().put("time", Instant.now().toString());
        try {
            answers.requireSynced();
            tree.putPresent("seen", live.parted().map(Page::seen));
            tree.put(
                    "waiting",
                    answers.ask(
                            new Requester("page", _ -> true, () -> true),
                            API + "decisions",
                            (copy, _) -> viewOf(copy).copy().waiting().size()));
            if (live.isLeading()) {
                tree.put(
                        "queue",
                        queue(live.answer(scheduler -> scheduler.queue().counts())));
            }
        } catch (QuestionTimedOutException | TooManyQuestionsException | ExecutionException | RuntimeException late) {
            tree.put("message", String.valueOf(late.getMessage()));
        }
        return tree;
    }

    private static Tree queue(QueueCounts counts) {
        return new Tree()
                .put("active", counts.active())
                .put("backoff", counts.backoff())
                .put("unschedulable", counts.unschedulable())
                .put("gated", counts.gated());
    }
}
