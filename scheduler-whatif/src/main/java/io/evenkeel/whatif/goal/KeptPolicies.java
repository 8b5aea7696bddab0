package io.evenkeel.whatif.goal;

import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import java.util.ArrayList;
import java.util.List;

/** No pod is against a policy. */
final class KeptPolicies implements Aim {
    private final MoveTrial trial;

    KeptPolicies(MoveTrial trial) {
        this.trial = trial;
    }

    @Override
    public int against() {
        return trial.againstPolicies().size();
    }

    @Override
    public Bound least() {
        return new Bound(0, Math.min(1, against()));
    }

    /** One pod after the other that is still against one goes where the scheduler would put it. */
    @Override
    public List<Move> suggestion() {
        List<Move> moves = new ArrayList<>();
        try (Transaction _ = trial.snapshot.begin()) {
            for (String key : trial.againstPolicies().stream().sorted().toList()) {
                Pod pod = trial.snapshot.pod(key).orElseThrow();
                if (trial.mayMove(pod) && trial.isAgainstPolicies(pod)) {
                    try (Transaction moved = trial.snapshot.begin()) {
                        trial.snapshot.preemptPods(List.of(pod));
                        if (trial.snapshot.schedulePod(trial.successor(pod), SchedulingOptions.USUAL)
                                        instanceof Verdict.Placed(Pod _, String to)
                                && !to.equals(pod.spec().nodeName())) {
                            moves.add(new Move(pod, pod.spec().nodeName(), to));
                            moved.commit();
                        }
                    }
                }
            }
        }
        return moves;
    }

    /** Each is judged by filters. */
    @Override
    public int podsAMove() {
        return 2;
    }
}
