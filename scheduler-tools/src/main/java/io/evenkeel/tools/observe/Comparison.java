package io.evenkeel.tools.observe;

import io.evenkeel.app.companion.Times;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.decision.Survey.Assessment;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.JudgingProfiles;
import io.evenkeel.whatif.why.PodQuestions;
import io.evenkeel.whatif.why.PodQuestions.Placement;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evenkeel's judgement of each pod that another scheduler binds: made when the news of the binding comes and before it is
 * taken in, so on the cluster that the other scheduler saw. Nothing of the answer is kept in the cluster.
 *
 * <p>Costs a decision a pod, and the scores of all nodes if the pod's node is not the best; a quarter of the thread's time in
 * all, beyond which pods are skipped and counted so.
 */
final class Comparison {
    private static final Logger log = LoggerFactory.getLogger(Comparison.class);
    private static final double SHARE = 0.25;
    private static final long MOST_SAVED = TimeUnit.SECONDS.toNanos(2);
    private static final long BETWEEN_SUMMARIES = TimeUnit.MINUTES.toNanos(1);

    private final Times times;
    private final TimeBudget allowance;
    private final JudgingProfiles judges;
    private final ObserveMetrics metrics;
    private final Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    private boolean news;
    private long toldAt;

    Comparison(SchedulerConfiguration configuration, ObserveMetrics metrics, Times times) {
        this.times = times;
        this.metrics = metrics;
        judges = JudgingProfiles.of(configuration);
        allowance = new TimeBudget(SHARE, MOST_SAVED, times.now());
        toldAt = times.now();
    }

    /** A pod is on this node now. A DaemonSet's could have gone to no other, and says nothing. */
    void bound(Scheduler scheduler, Pod pod, String node) {
        boolean hadNoChoice = pod.meta()
                .controller()
                .filter(owner -> owner.kind().equals("DaemonSet"))
                .isPresent();
        if (hadNoChoice) {
            return;
        }
        long begin = times.now();
        if (!allowance.isThere(begin)) {
            count(Outcome.SKIPPED);
            return;
        }
        count(compare(scheduler, judges.judged(pod), pod, node));
        allowance.take(times.now() - begin);
    }

    private Outcome compare(Scheduler scheduler, Pod judged, Pod pod, String node) {
        try {
            Assessment assessment = scheduler.engine().assess(judged, node, Set.of());
            if (assessment instanceof Assessment.Fits fits && !fits.isBest()) {
                tellOfBetter(new PodQuestions(scheduler.engine()).placement(judged, node), pod);
            }
            return outcome(assessment, pod, node);
        } catch (RuntimeException fault) {
            return outcome(new Assessment.Rejected("a plugin failed: " + fault.getMessage()), pod, node);
        }
    }

    private static Outcome outcome(Assessment assessment, Pod pod, String node) {
        return switch (assessment) {
            case Assessment.Fits fits -> fits.isBest() ? Outcome.BEST : Outcome.LOWER_SCORE;
            case Assessment.Rejected(var reason) -> {
                log.atInfo()
                        .setMessage("Evenkeel would not have placed the pod there")
                        .addKeyValue("pod", pod.key())
                        .addKeyValue("scheduler", pod.spec().schedulerName())
                        .addKeyValue("node", node)
                        .addKeyValue("why", reason)
                        .log();
                yield Outcome.UNFIT;
            }
        };
    }

    private static void tellOfBetter(Placement placement, Pod pod) {
        if (placement.there().isEmpty() || placement.best().isEmpty()) {
            return;
        }
        Placement.Scored there = placement.there().get();
        Placement.Scored best = placement.best().getFirst();
        log.atInfo()
                .setMessage("Evenkeel would have chosen another node")
                .addKeyValue("pod", pod.key())
                .addKeyValue("scheduler", pod.spec().schedulerName())
                .addKeyValue("node", there.node())
                .addKeyValue("score", there.total())
                .addKeyValue("instead", best.node())
                .addKeyValue("itsScore", best.total())
                .addKeyValue("difference", difference(best.scores(), there.scores()))
                .log();
    }

    /** Plugin by plugin, what speaks most for the other node first. */
    static String difference(NavigableMap<String, Long> best, NavigableMap<String, Long> there) {
        Map<String, Long> differences = new TreeMap<>(best);
        there.forEach((plugin, score) -> differences.merge(plugin, -score, Long::sum));
        return differences.entrySet().stream()
                .filter(each -> each.getValue() != 0)
                .sorted(Map.Entry.comparingByValue(Collections.reverseOrder()))
                .map(each -> each.getKey() + " " + (each.getValue() > 0 ? "+" : "") + each.getValue())
                .collect(Collectors.joining(", "));
    }

    private void count(Outcome outcome) {
        counts.merge(outcome, 1L, Long::sum);
        metrics.bound(outcome);
        news = true;
    }

    /** A line each minute in which there was something to count. */
    void tell() {
        if (news && times.now() - toldAt >= BETWEEN_SUMMARIES) {
            tellNow();
        }
    }

    /** That line, if there is something that it has not said yet. */
    void tellNow() {
        if (!news) {
            return;
        }
        news = false;
        toldAt = times.now();
        long best = of(Outcome.BEST);
        long judged = best + of(Outcome.LOWER_SCORE) + of(Outcome.UNFIT);
        log.atInfo()
                .setMessage("Compared with other schedulers so far")
                .addKeyValue("best", best)
                .addKeyValue("lowerScore", of(Outcome.LOWER_SCORE))
                .addKeyValue("unfit", of(Outcome.UNFIT))
                .addKeyValue("skipped", of(Outcome.SKIPPED))
                .addKeyValue("agreed", judged == 0 ? "of none" : Math.round(best * 100.0 / judged) + "%")
                .log();
    }

    private long of(Outcome outcome) {
        return counts.getOrDefault(outcome, 0L);
    }

    /**
     * A share of the time: the asker may go on while it has not taken more than its share, and may save up some of it. So its work
     * takes its share of a thread in the long run, and a burst no more than was saved.
     */
    static final class TimeBudget {
        private final double share;
        private final long most;
        private double saved;
        private long countedAt;

        /**
         * Nothing taken yet.
         *
         * @param share of the time, up to 1
         * @param most how many nanoseconds may be saved up
         */
        TimeBudget(double share, long most, long now) {
            this.share = share;
            this.most = most;
            saved = most;
            countedAt = now;
        }

        boolean isThere(long now) {
            saved = Math.min((double) most, saved + share * (double) (now - countedAt));
            countedAt = now;
            return saved > 0;
        }

        /** So much was taken, which may be more than there was. */
        void take(long nanos) {
            saved -= nanos;
        }
    }

    /** Evenkeel's view of another scheduler's choice of a node. */
    enum Outcome {
        /** One of the best nodes by Evenkeel's scores too. */
        BEST,
        /** It fits there, and another node scores more. */
        LOWER_SCORE,
        /** By Evenkeel's rules it does not fit there. */
        UNFIT,
        /** Not looked at, as too many came at once. */
        SKIPPED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
