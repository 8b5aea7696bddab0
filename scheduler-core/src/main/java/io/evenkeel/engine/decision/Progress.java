package io.evenkeel.engine.decision;

import io.evenkeel.api.VictimAdvice;
import io.evenkeel.engine.decision.Answer.ExtenderAdvice;
import io.evenkeel.queue.Attempt;
import java.util.Optional;
import java.util.Set;

/**
 * The answers of extenders in an attempt so far. For example, of a pod that they turn away from the nodes where it fits, and
 * for which they let another go:
 *
 * <pre>
 *              nodeAdvice        victimAdvice
 *   begun      -                 needed
 *   of nodes   none of n1 n2     needed
 *   of victims none of n1 n2     a goes from n3
 * </pre>
 *
 * @param startedAt when the attempt began, in nanoseconds
 * @param isAnew whether the pod had changed by the time of an answer, and was asked about again
 */
public record Progress(
        Attempt attempt, long startedAt, boolean isAnew, Optional<NodeAdvice> nodeAdvice, VictimAdvice victimAdvice) {

    /** Of an attempt that has begun. */
    public static Progress begun(Attempt attempt, long startedAt, boolean isAnew, VictimAdvice victimAdvice) {
        return new Progress(attempt, startedAt, isAnew, Optional.empty(), victimAdvice);
    }

    public Progress with(NodeAdvice given) {
        return new Progress(attempt, startedAt, isAnew, Optional.of(given), victimAdvice);
    }

    public Progress with(VictimAdvice given) {
        return new Progress(attempt, startedAt, isAnew, nodeAdvice, given);
    }

    /** Whether they can be asked who goes, whatever a plugin wants: they have a say, and were not asked twice. */
    public boolean mayAskOfVictims() {
        return switch (victimAdvice) {
            case VictimAdvice.Needed _ -> true;
            case VictimAdvice.Given given -> given.mayAskAgain();
            case VictimAdvice.NotNeeded _, VictimAdvice.Failed _ -> false;
        };
    }

    /** Whether they have been asked already who goes. */
    public boolean hasVictimAdvice() {
        return victimAdvice instanceof VictimAdvice.Given;
    }

    /**
     * The answer of extenders about the nodes that they were asked about.
     *
     * @param done the names of nodes about which nothing more is asked; none where it was the nominated one alone
     * @param mayAskAgain where not, the pod fits nowhere if none of these is left
     */
    public record NodeAdvice(Set<String> done, ExtenderAdvice advice, boolean mayAskAgain) {
        public NodeAdvice {
            done = Set.copyOf(done);
        }
    }
}
