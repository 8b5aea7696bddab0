package io.evenkeel.serve;

import io.evenkeel.model.Pod;
import io.evenkeel.tools.why.CopyAnswers;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.Workload;
import io.evenkeel.whatif.ClusterSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The server's cluster; used by several threads at once. */
interface ClusterSource {

    /**
     * Asks of the cluster as it is now. What the question changes there is taken back.
     *
     * @param asker with whose name the question takes turns
     * @param question is given who asks, to look now and then whether it is still waited for
     */
    <T> T ask(Requester asker, BiFunction<ClusterSnapshot, Requester, T> question) throws Exception;

    /** The pods of a workload that wait for a node, as far as they are known. */
    List<Pod> waiting(String user, Workload workload) throws Exception;

    /** A cluster of the same configuration with nothing in it. */
    ClusterSnapshot empty();

    /** How old answers are; empty where that goes without saying. */
    default Optional<Duration> age() {
        return Optional.empty();
    }

    /** A cluster that stays as it is, and where no pod waits. */
    record Fixed(ClusterSnapshot cluster, Supplier<ClusterSnapshot> another) implements ClusterSource {
        @Override
        public <T> T ask(Requester asker, BiFunction<ClusterSnapshot, Requester, T> question) {
            synchronized (cluster) {
                try {
                    return question.apply(cluster, asker);
                } finally {
                    cluster.reset();
                }
            }
        }

        @Override
        public List<Pod> waiting(String user, Workload workload) {
            return List.of();
        }

        @Override
        public ClusterSnapshot empty() {
            return another.get();
        }
    }

    /**
     * The copy of a cluster that follows what is watched there.
     *
     * @param old how old answers are
     */
    record Followed(CopyAnswers answers, Supplier<ClusterSnapshot> another, Supplier<Optional<Duration>> old)
            implements ClusterSource {
        @Override
        public <T> T ask(Requester asker, BiFunction<ClusterSnapshot, Requester, T> question) throws Exception {
            answers.requireSynced();
            return answers.ask(
                    asker, "what-if", (copy, waiting) -> copy.whatIf(cluster -> question.apply(cluster, waiting)));
        }

        @Override
        public List<Pod> waiting(String user, Workload workload) throws Exception {
            answers.requireSynced();
            return answers.ask(
                    Requester.named(user, () -> true),
                    workload.toString(),
                    (copy, _) -> copy.podsOf(workload).stream()
                            .filter(pod -> !pod.isPlaced())
                            .toList());
        }

        @Override
        public ClusterSnapshot empty() {
            return another.get();
        }

        @Override
        public Optional<Duration> age() {
            return old.get();
        }
    }
}
