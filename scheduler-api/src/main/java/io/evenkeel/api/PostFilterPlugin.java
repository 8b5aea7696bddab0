package io.evenkeel.api;

import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A plugin that is asked when a pod fits on no node: it may see to it that the pod fits soon, as preemption does.
 *
 * @since 0.1
 */
public interface PostFilterPlugin extends Plugin {

    /**
     * The plugin's result.
     *
     * @param status Success where the pod can be made to fit, and no other plugin is asked then; Unschedulable where this
     *     plugin cannot do it, and the next may; UnschedulableAndUnresolvable where none can. The reasons come behind those
     *     of the filters in what the pod's user reads
     * @param nominatedNode what the pod's status says from now on of where it may fit soon: empty leaves it as it is, an
     *     empty name takes it away
     * @param victims pods that are to go for it
     * @param candidates what extenders are to be asked about before anybody goes
     * @param objecting plugins that would turn the pod away from nodes once others had gone: what helps them may help it
     * @param writes what is written, so that the pod fits soon; nobody waits for it, and the plugin sees it by the watch
     */
    record Result(
            Status status,
            Optional<String> nominatedNode,
            List<Pod> victims,
            List<PreemptionCandidate> candidates,
            Set<String> objecting,
            List<ObjectPatch> writes) {

        /** Nothing is written. */
        public Result(
                Status status,
                Optional<String> nominatedNode,
                List<Pod> victims,
                List<PreemptionCandidate> candidates,
                Set<String> objecting) {
            this(status, nominatedNode, victims, candidates, objecting, List.of());
        }

        /** The pod can be made to fit, and no pod has to go. */
        public Result(Status status, Optional<String> nominatedNode) {
            this(status, nominatedNode, List.of(), List.of(), Set.of());
        }

        /** The pod may fit on this node soon. */
        public static Result nominate(String node) {
            return new Result(Status.SUCCESS, Optional.of(node));
        }

        /** The pod fits on this node once these pods are gone. */
        public static Result preempt(String node, List<Pod> victims) {
            return new Result(Status.SUCCESS, Optional.of(node), victims, List.of(), Set.of());
        }

        /** The pod fits once some of these are gone; the plugin is run again with {@link VictimAdvice} of them. */
        public static Result askExtenders(List<PreemptionCandidate> candidates) {
            if (candidates.isEmpty()) {
                throw new IllegalArgumentException("extenders are to be asked about no candidates");
            }
            return new Result(Status.SUCCESS, Optional.empty(), List.of(), candidates, Set.of());
        }

        /** The plugin cannot help, or failed; what the pod's status says stays as it is. */
        public static Result none(Status status) {
            return new Result(status, Optional.empty());
        }

        /** The same, where these plugins would object if others went. */
        public Result objectedToBy(Set<String> plugins) {
            return new Result(status, nominatedNode, victims, candidates, plugins, writes);
        }

        /** The same, and these are written. */
        public Result writing(List<ObjectPatch> patches) {
            return new Result(status, nominatedNode, victims, candidates, objecting, patches);
        }
    }

    /**
     * Whether all that the plugin can do for a pod is to let less important ones go from a node of which filters may say
     * something else then. If so, pods that would be tried in vain are left asleep.
     */
    default boolean onlyPreempts() {
        return false;
    }

    /**
     * Asked on the engine's thread, in the cycle in which the pod was filtered.
     *
     * @param statuses of all nodes
     * @param trial to find out what would help; over when this returns
     */
    Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial);
}
