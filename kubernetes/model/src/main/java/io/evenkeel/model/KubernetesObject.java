package io.evenkeel.model;

/**
 * An object of one of the kinds that scheduling reads.
 *
 * @since 0.1
 */
public sealed interface KubernetesObject
        permits Node,
                Pod,
                Namespace,
                Service,
                WorkloadOwner,
                PriorityClass,
                PodDisruptionBudget,
                PluginObject,
                UnreadObject {
    /** As the API names it, such as Pod. */
    String kindName();

    ObjectMeta meta();
}
