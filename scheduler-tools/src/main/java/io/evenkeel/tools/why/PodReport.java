package io.evenkeel.tools.why;

import io.evenkeel.app.companion.AskedCluster.Parted;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.engine.group.GangQuestions.GangOutlook;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Report;
import io.evenkeel.whatif.why.Answer;
import io.evenkeel.whatif.why.PodQuestions.Placement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answer about a pod.
 *
 * @param scenario that the pod is of; empty where it is of none
 * @param pod as {@code namespace/name}
 * @param alike other pods with the same answer
 * @param remarks what is to be known beside the answer, in the order of their kinds
 * @param queued what the scheduler's queue knows of it; empty where no queue was asked
 * @param seen by which replica, and when; empty where it goes without saying
 */
public record PodReport(
        String scenario,
        String pod,
        List<String> alike,
        List<Remark> remarks,
        State state,
        Optional<QueuedPod> queued,
        Optional<Seen> seen)
        implements Report {
    @Override
    public Tree tree() {
        return JsonWhy.tree(this);
    }

    @Override
    public String text(Layout layout) {
        return new ShortWhy(layout).of(this);
    }

    @Override
    public String wide(Layout layout) {
        return new TextWhy(layout.columns()).of(this);
    }

    /**
     * A sentence beside the answer.
     *
     * @param brief the same in a few words
     */
    public record Remark(Kind kind, String text, String brief) {
        /** In the order in which remarks are told. */
        public enum Kind {
            /** The pod's condition says something else. */
            CONDITION,
            SUPPOSED,
            /** No profile has the pod's schedulerName. */
            SCHEDULER,
            /** The rules that were taken. */
            RULES,
            OTHER
        }

        static Remark of(Kind kind, String text) {
            return new Remark(kind, text, text);
        }
    }

    /**
     * How old an answer is where several engines share the cluster.
     *
     * @param replica that answers
     * @param ago when the API server last told it of pods, if only that there was nothing to tell
     */
    public record Seen(String replica, Duration ago) {
        public static Seen of(Parted parted) {
            return new Seen(parted.replica(), parted.quiet());
        }

        String text() {
            return "seen by " + replica + ", which the API server told of pods " + inWords() + " ago";
        }

        String brief() {
            return "as of " + inWords() + " ago";
        }

        private String inWords() {
            return GoDuration.format(ago.truncatedTo(ChronoUnit.SECONDS));
        }

        public Tree tree() {
            return new Tree().put("by", replica).put("secondsAgo", ago.toMillis() / 1e3);
        }
    }

    /** Where the pod is, or why it is nowhere. */
    public sealed interface State {

        record Waits(String message, Answer answer) implements State {}

        /**
         * Its gang waits, whatever there is for the pod alone.
         *
         * @param answer what keeps one of its pods from all nodes beside the others; empty where nothing does
         */
        record GangWaits(String message, Gang gang, Optional<Answer> answer) implements State {}

        /** It would go there now, and has not yet had its turn. */
        record Fits(String node) implements State {}

        /**
         * It would go there now, though the cluster shows that it was turned away.
         *
         * @param shown what its condition says
         * @param because why the two may differ
         */
        record Retried(String node, String shown, String because) implements State {
            static final String SINCE_OR_LATE =
                    "the cluster has changed since, or a plugin objected that is asked once there is a node";

            /** A refusal by a scheduler with the configuration that judges here. */
            public static Retried ofOwn(String node, String shown) {
                return new Retried(node, shown, SINCE_OR_LATE);
            }
        }

        /** It was decided, and is not bound yet. */
        record OnItsWay(String node, String waitsFor) implements State {}

        record Held(String plugin, String why) implements State {}

        /** A plugin failed on it, which is no verdict. */
        record Failed(String message) implements State {}

        /** No known scheduler would place it. */
        record Unattended(String why, State judged) implements State {}

        /** It is being deleted, and was on no node. */
        record Leaving() implements State {}

        record InPlace(Placement placement) implements State {}

        /** The reason in the pod's message, where it waits for good reason. */
        default Optional<String> reason() {
            return switch (this) {
                case Waits waits -> Optional.of(waits.message());
                case GangWaits gang -> Optional.of(gang.message());
                case Held held -> Optional.of(held.why());
                case Failed failed -> Optional.of(failed.message());
                case Fits _, Retried _, OnItsWay _, Unattended _, Leaving _, InPlace _ -> Optional.empty();
            };
        }
    }

    /**
     * How many pods of a gang there are.
     *
     * @param plugin that places it; empty where a scenario says so
     * @param name as {@code pod group shop/train}
     * @param needed so many are placed, or none is
     * @param waiting how many wait that no gate holds
     */
    public record Gang(String plugin, String name, int needed, int inPlace, int waiting) {
        static Gang of(GangOutlook outlook) {
            return new Gang(
                    outlook.membership().plugin(),
                    outlook.membership().group().toString(),
                    outlook.membership().terms().minimum(),
                    outlook.inPlace(),
                    outlook.pods().size());
        }
    }

    PodReport inQueue(QueuedPod there) {
        return new PodReport(scenario, pod, alike, remarks, state, Optional.of(there), seen);
    }

    PodReport with(List<String> podsAlike) {
        return new PodReport(scenario, pod, podsAlike, remarks, state, queued, seen);
    }

    PodReport remarking(String remark) {
        List<Remark> more = new ArrayList<>(remarks);
        more.add(Remark.of(Remark.Kind.OTHER, remark));
        return new PodReport(scenario, pod, alike, List.copyOf(more), state, queued, seen);
    }

    public static PodReport of(String scenario, String pod, State state) {
        return new PodReport(scenario, pod, List.of(), List.of(), state, Optional.empty(), Optional.empty());
    }
}
