package io.evenkeel.tools.cli;

import io.evenkeel.app.cli.ClusterListing;
import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.watch.ClusterList;
import io.evenkeel.kube.watch.Watches;
import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.cli.ServedAnswers.Served;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.why.CauseTable;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.MeantPods;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.SchedulerLeases;
import io.evenkeel.tools.why.Supposition;
import io.evenkeel.tools.why.Supposition.SuppositionException;
import io.evenkeel.tools.why.Workload;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Prints what is answered about the pods of a cluster, once or whenever it changes.
 *
 * @param watch whether to go on until a pod that waited has its node; for ever of pods in place, and of several
 */
record Answering(
        ApiTransport transport, OutputForm form, Layout layout, boolean watch, PrintWriter out, PrintWriter err) {
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /**
     * Asks an Evenkeel that runs there; false where none answers, or something else than a pod may be meant.
     *
     * @param readings what may be meant
     * @throws NoSuchPodException if there is no such pod, or not any more
     * @throws UserProblem if not even the API server is reached
     */
    boolean byRunning(List<AskedPods> readings) throws InterruptedException {
        ServedAnswers answers = new ServedAnswers(transport, layout);
        Optional<NoSuchPodException> firstMissing = Optional.empty();
        for (AskedPods reading : readings) {
            if (!(reading instanceof AskedPods.One(String pod, var _))) {
                return false;
            }
            switch (patiently(answers, pod)) {
                case Served.Told told -> {
                    tellIfOther(readings.getFirst(), reading);
                    if (watch) {
                        new ServedFollower(answers, form.output(), printed(), this::warn, Machine.SYSTEM.sleeper())
                                .follow(pod, told);
                    } else {
                        printed().print(told.answer());
                    }
                    return true;
                }
                case Served.NoSuchPod none ->
                    firstMissing = firstMissing.or(() -> Optional.of(new NoSuchPodException(pod, none.host())));
                case Served.Unreached unreached -> throw new UserProblem(unreached.told());
                case Served.NotServed _ -> {
                    return false;
                }
                case Served.Failed failed -> {
                    warn("why.evenkeel.io gives no answer, and the cluster is listed instead: " + failed.why());
                    return false;
                }
            }
        }
        throw firstMissing.orElseThrow();
    }

    private void tellIfOther(AskedPods first, AskedPods meant) {
        if (!meant.equals(first)) {
            tell("there is no " + first.title() + ", or it may not be read: the answer is about " + meant.title());
        }
    }

    /** A busy server is asked once more after the pause that it names, unless to list the cluster would be faster. */
    private Served patiently(ServedAnswers answers, String pod) throws InterruptedException {
        Output asked = watch ? Output.JSON : form.output();
        Served served = answers.about(pod, asked);
        if (served instanceof Served.Failed failed
                && failed.retryAfter()
                        .filter(pause -> pause.compareTo(LONGEST_PAUSE) <= 0)
                        .isPresent()) {
            Duration pause = failed.retryAfter().get();
            tell("why.evenkeel.io is busy, asking again in " + GoDuration.rounded(pause) + ": " + failed.why());
            Machine.SYSTEM.sleeper().sleep(pause.toNanos());
            return answers.about(pod, asked);
        }
        return served;
    }

    /**
     * Lists the cluster, and follows it where that is asked for.
     *
     * @param readings what may be meant
     */
    void byListing(ClusterQuestions questions, List<AskedPods> readings) throws InterruptedException {
        ClusterAnswers answers = new ClusterAnswers(questions);
        AskedPods asked = answers.meant(readings);
        ChangingAnswer printed = printed();
        printed.print(answers.about(asked));
        if (watch) {
            LoggingOptions.applyWarningsOnly();
            LoggingOptions.silence(Watches.CONNECTION_LOG); // one line for all kinds is printed instead
            boolean waited = !answers.areInPlace();
            try (FollowedCluster followed =
                    new FollowedCluster(questions, answers.listed(), transport, Machine.SYSTEM, this::warn)) {
                while (!(waited && asked instanceof AskedPods.One && answers.areInPlace())) {
                    if (followed.awaitNews(UnmadePods.PAUSE) || answers.areOwnersOther()) {
                        printed.print(answers.about(asked));
                        waited |= !answers.areInPlace();
                    }
                }
            }
        }
    }

    private ChangingAnswer printed() {
        return new ChangingAnswer(out, form);
    }

    private void tell(String line) {
        err.println("evenkeel: " + line);
        err.flush();
    }

    private void warn(String warning) {
        ClusterListing.warningsTo(err).accept(warning);
    }

    /** The news of a cluster, told to questions that know it as it was listed. */
    static final class FollowedCluster implements AutoCloseable {
        /** Events that come within this time get one answer. */
        private static final Duration TOGETHER = Duration.ofSeconds(1);

        private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

        private final ClusterQuestions questions;
        private final BlockingQueue<SchedulerEvent> news = new LinkedBlockingQueue<>();
        private final Sleeper sleeper;
        private final Watches watches;
        private final WatchTroubles troubles;
        private final Consumer<String> warnings;

        /** @param warnings gets a sentence where the cluster cannot be watched, and where it can be again */
        FollowedCluster(
                ClusterQuestions questions,
                List<Kind<?>> kinds,
                ApiTransport transport,
                Machine machine,
                Consumer<String> warnings) {
            this.questions = questions;
            this.warnings = warnings;
            troubles = new WatchTroubles(transport.host());
            sleeper = machine.sleeper();
            watches = Watches.start(kinds, transport, news::add, machine);
        }

        /** Waits for news for a time, and tells all of it there is; false where there is none. */
        boolean awaitNews(Duration atMost) throws InterruptedException {
            for (long looks = atMost.dividedBy(BETWEEN_LOOKS); looks > 0; looks--) {
                SchedulerEvent first = news.poll(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
                troubles.look(watches.statuses()).ifPresent(warnings);
                if (first != null) {
                    sleeper.sleep(TOGETHER.toNanos());
                    for (SchedulerEvent next = first; next != null; next = news.poll()) {
                        questions.follow(next);
                    }
                    return true;
                }
            }
            return false;
        }

        @Override
        public void close() {
            watches.close();
        }

        /**
         * Tells a user of watches that fail: a line when they do, whichever and however many, and one when all go on.
         * A stream that breaks off is everyday life; one that is still broken at the next look is not.
         */
        static final class WatchTroubles {
            private final String host;
            private Set<String> failedBefore = Set.of();
            private boolean told;

            WatchTroubles(String host) {
                this.host = host;
            }

            /** Looks at all watches; a sentence where there is something new. */
            Optional<String> look(List<WatchStatus> watches) {
                List<WatchStatus> failing = watches.stream()
                        .filter(watch -> !watch.absent() && !watch.problem().isEmpty())
                        .toList();
                List<WatchStatus> stillFailing = failing.stream()
                        .filter(watch -> failedBefore.contains(watch.kind()))
                        .toList();
                failedBefore = failing.stream().map(WatchStatus::kind).collect(Collectors.toSet());
                if (told && failing.isEmpty()) {
                    told = false;
                    return Optional.of(host + " can be watched again");
                }
                if (told || stillFailing.isEmpty()) {
                    return Optional.empty();
                }
                told = true;
                boolean isAll = failing.size()
                        == watches.stream().filter(watch -> !watch.absent()).count();
                return Optional.of("cannot watch " + (isAll ? "" : kinds(failing) + " of ") + host
                        + ", trying again; what is printed is as it was before: "
                        + stillFailing.getFirst().problem());
            }

            private static String kinds(List<WatchStatus> failing) {
                Set<String> kinds =
                        failing.stream().map(WatchStatus::kind).collect(Collectors.toCollection(TreeSet::new));
                return String.join(", ", kinds);
            }
        }
    }

    /** The answers about a cluster that has been listed. */
    private final class ClusterAnswers {
        private final ClusterQuestions questions;
        private final List<Kind<?>> listed;
        private List<PodReport> last = List.of();
        private Optional<UnmadePods> unmade = Optional.empty();
        private Optional<UnmadePods.Told> lastUnmade = Optional.empty();
        /** While it stays so, it is said once. */
        private boolean nothingIsSaid;

        /**
         * Tells the questions of all there is.
         *
         * @throws UserProblem if nodes or pods cannot be listed
         */
        ClusterAnswers(ClusterQuestions questions) throws InterruptedException {
            this.questions = questions;
            ClusterList list = ClusterListing.of(questions.kinds(), transport, Answering.this::warn);
            questions.tell(list.objects());
            listed = questions.kinds().stream()
                    .filter(kind -> !list.failed().containsKey(kind.name()))
                    .toList();
        }

        /** The kinds with objects to list, if any. */
        List<Kind<?>> listed() {
            return listed;
        }

        /**
         * The first reading of which there is something; the first of all where there is nothing.
         *
         * @param readings one or several
         */
        AskedPods meant(List<AskedPods> readings) {
            List<AskedPods> there = readings.size() == 1
                    ? readings
                    : readings.stream().filter(this::isThere).toList();
            AskedPods meant = there.isEmpty() ? readings.getFirst() : there.getFirst();
            tellIfOther(readings.getFirst(), meant);
            there.stream().skip(1).forEach(other -> tell("there is also " + other.title()));
            return meant;
        }

        private boolean isThere(AskedPods reading) {
            return switch (reading) {
                case AskedPods.One one -> questions.isThere(one.key());
                case AskedPods.Several(MeantPods meant) ->
                    meant.workload()
                            .filter(workload ->
                                    !questions.podsOf(workload).isEmpty() || UnmadePods.isThere(workload, transport))
                            .isPresent();
            };
        }

        /** Whether other pods are not made, or for another reason, than was told last. */
        boolean areOwnersOther() {
            return !lastUnmade.equals(unmade.map(UnmadePods::told));
        }

        /** Whether all that was said last is of pods on nodes. */
        boolean areInPlace() {
            return last.stream().allMatch(report -> report.state() instanceof PodReport.State.InPlace);
        }

        /**
         * Answers as things are now.
         *
         * @throws UserProblem if there is no such pod or workload, or something that is supposed cannot be so
         */
        String about(AskedPods asked) {
            SchedulerLeases leases = new SchedulerLeases(transport, InstantSource.system());
            questions.tell(leases::of);
            questions.tellOfShards(leases::shardsOf);
            return switch (asked) {
                case AskedPods.One one -> written(List.of(about(one)));
                case AskedPods.Several(MeantPods meant) -> about(meant);
            };
        }

        private PodReport about(AskedPods.One asked) {
            try {
                Optional<PodReport> report = asked.suppositions().isEmpty()
                        ? questions.about(asked.key(), Requester.OPERATOR)
                        : questions.supposing(asked.key(), asked.suppositions(), Requester.OPERATOR);
                return report.orElseThrow(() -> new NoSuchPodException(asked.key(), transport.host()));
            } catch (SuppositionException impossible) {
                throw new UserProblem("--if: " + impossible.getMessage(), impossible);
            }
        }

        private String about(MeantPods meant) {
            List<List<Pod>> causes = questions.waiting(pod -> meant.isMeant(pod, questions), Requester.OPERATOR);
            if (unmade.isEmpty()) {
                unmade = Optional.of(new UnmadePods(
                        transport, questions, meant, Machine.SYSTEM.clocks().nanos()));
            }
            Optional<UnmadePods.Told> toldBefore = lastUnmade;
            UnmadePods.Told told = unmade.get().told();
            lastUnmade = Optional.of(told);
            boolean isNothing = causes.isEmpty() && told.shortfalls().isEmpty();
            if (isNothing && !nothingIsSaid) {
                tell("no pod waits" + meant.where());
            }
            nothingIsSaid = isNothing;
            boolean isOneAnswer = meant.workload().isPresent()
                    && causes.size() == 1
                    && told.shortfalls().isEmpty();
            if (form.output() == Output.TEXT && !isOneAnswer && !isNothing) {
                return new CauseTable(questions, Instant.now(), layout)
                        .of(causes, told.shortfalls(), told.notLookedAt());
            }
            if (!toldBefore.equals(lastUnmade)) {
                told.shortfalls().forEach(shortfall -> warn(shortfall.text()));
                if (told.notLookedAt() > 0) {
                    warn(CauseTable.notLookedAt(told.notLookedAt()));
                }
            }
            return written(causes.stream()
                    .map(alike -> questions.about(alike, Requester.OPERATOR))
                    .toList());
        }

        private String written(List<PodReport> reports) {
            last = reports;
            return reports.stream()
                    .map(report -> form.output().of(report, layout))
                    .collect(Collectors.joining(System.lineSeparator()));
        }
    }

    sealed interface AskedPods {
        /** What is asked about, as in {@code Job shop/x}. */
        String title();

        /**
         * One.
         *
         * @param key as {@code namespace/name}
         * @param suppositions what would be said if all of this were so; none where it is asked how things are
         */
        record One(String key, List<Supposition> suppositions) implements AskedPods {
            @Override
            public String title() {
                return "pod " + key;
            }
        }

        /** All of those that wait. */
        record Several(MeantPods pods) implements AskedPods {
            @Override
            public String title() {
                return pods.workload().map(Workload::title).orElse("pods" + pods.where());
            }
        }
    }
}
