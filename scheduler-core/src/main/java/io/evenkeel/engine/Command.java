package io.evenkeel.engine;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.kind.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command to be carried out. */
public sealed interface Command {

    /** The pod as the scheduler knew it when it gave the command. */
    Pod pod();

    /** A command for the API server. Those on one pod are carried out in their order. */
    sealed interface AtServer extends Command {}

    /** Binds the pod to the node; the answer is {@link CommandResult.Bound} or {@link CommandResult.NotBound}. */
    record Bind(Pod pod, String node, BindingSteps steps) implements AtServer {}

    /**
     * Writes an object for the pod.
     *
     * @param awaited whether the pod is not bound before: then the answer is {@link CommandResult.Written}, {@link
     *     CommandResult.NotWritten} or {@link CommandResult.OnlySaid}, and otherwise there is none
     */
    record WriteObject(Pod pod, ObjectPatch patch, boolean awaited) implements AtServer {
        public WriteObject(Pod pod, ObjectPatch patch) {
            this(pod, patch, true);
        }
    }

    /**
     * Writes conditions, a nominated node or both into the pod's status; has no answer.
     *
     * @param conditions one of a type; one without a status is to be gone
     * @param nominatedNodeName empty leaves it as it is, an empty string clears it
     */
    record PatchStatus(Pod pod, List<PodCondition> conditions, Optional<String> nominatedNodeName) implements AtServer {
        public PatchStatus(Pod pod, Optional<PodCondition> condition, Optional<String> nominatedNodeName) {
            this(pod, condition.stream().toList(), nominatedNodeName);
        }
    }

    /**
     * Marks the pod as disrupted and has it deleted, unless another has taken its name; the answer is {@link
     * CommandResult.Evicted} or {@link CommandResult.NotEvicted}.
     *
     * @param preemptor the pod that it goes for
     * @param disrupted the condition that says so
     */
    record Evict(Pod pod, Pod preemptor, PodCondition disrupted) implements AtServer {}

    /** Publishes an event about the pod; has no answer. */
    record RecordEvent(Pod pod, ObjectEvent event) implements AtServer {}

    /**
     * Writes a condition into the status of a group that the pod is in; has no answer.
     *
     * @param pod a member: what is to be written of the same group in order names the same one
     * @param condition without a lastTransitionTime it changes now
     */
    record PatchGroup(Pod pod, Kind<?> kind, ObjectMeta group, GroupCondition condition) implements AtServer {}

    /** Publishes an event about a group that the pod is in; has no answer. */
    record RecordGroupEvent(Pod pod, Kind<?> kind, ObjectMeta group, ObjectEvent event) implements AtServer {}

    /** A question to the extenders; the answer is {@link SchedulerEvent.ExtendersAnswered}. */
    sealed interface AskExtenders extends Command {}

    /** Where the pod may go of these nodes. */
    record AskOfNodes(Pod pod, List<Node> nodes) implements AskExtenders {}

    /**
     * Where which pods may go for this one.
     *
     * @param podsByNode all that are on the candidates' nodes, among which extenders may name others
     */
    record AskOfVictims(Pod pod, List<PreemptionCandidate> candidates, Map<String, List<Pod>> podsByNode)
            implements AskExtenders {}

    /** Reads the pod; the answer is {@link CommandResult.Found} or {@link CommandResult.LookupFailed}. */
    record Lookup(Pod pod) implements AtServer {}
}
