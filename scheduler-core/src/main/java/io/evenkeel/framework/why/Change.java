package io.evenkeel.framework.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.value.NamedConstant;
import io.evenkeel.model.write.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** One change that might make a waiting pod fit. Whether it does is tried before anybody is told. */
public sealed interface Change
        permits PodChange,
                ClaimChange,
                NodeChange,
                Change.NodeAdded,
                Change.DriversInstalled,
                Change.ObjectAdded,
                Change.ObjectRemoved,
                Change.PolicyLimit,
                Change.PodGone {

    /** The kinds of changes, in the order in which an operator would rather make them. */
    enum Kind implements NamedConstant {
        RESOURCE,
        UNCORDON,
        CLAIM,
        STORAGE_CLASS,
        VOLUME,
        NODE,
        DRIVER,
        REQUEST,
        DEVICE_ALTERNATIVE,
        TOLERATION,
        TAINT,
        NODE_LABEL,
        MAX_SKEW,
        MIN_DOMAINS,
        NODE_TAINTS_POLICY,
        SPREAD,
        NODE_SELECTOR,
        NODE_AFFINITY,
        POD_AFFINITY,
        DEVICE_SELECTOR,
        DEVICE_CONSTRAINT,
        DEVICE_CLASS,
        POLICY,
        PRIORITY,
        POD_GONE
    }

    Kind kind();

    /** For people to read: a noun first. */
    String text();

    /**
     * One more node, without pods.
     *
     * @param like the node that it is like
     * @param where what distinguishes it from that, as "with topology.kubernetes.io/zone=c"; empty where nothing does
     * @param with what comes with it: the CSINode by which its drivers say how many volumes it can have, and its devices
     */
    record NodeAdded(Node node, String like, String where, List<KubernetesObject> with) implements Change {

        /**
         * With drivers and devices as the other one has them: a node that has no drivers would be told to have room for any
         * volume.
         */
        public static NodeAdded like(String like, Node node, String where, ClusterView cluster) {
            boolean isToldOf =
                    cluster.objects().find(Kinds.CSI_NODE, node.name()).isPresent();
            List<KubernetesObject> with = new ArrayList<>();
            cluster.objects()
                    .find(Kinds.CSI_NODE, like)
                    .filter(_ -> !isToldOf)
                    .ifPresent(csiNode -> with.add(csiNode.ofAnother(node.name())));
            with.addAll(CopiedDevices.of(cluster.objects().all(Kinds.RESOURCE_SLICE), like, node.name()));
            return new NodeAdded(node, like, where, List.copyOf(with));
        }

        @Override
        public Kind kind() {
            return Kind.NODE;
        }

        @Override
        public String text() {
            return "one more node like " + like + (where.isEmpty() ? "" : " " + where);
        }
    }

    /** CSI drivers that a node has then, without a limit to their volumes. */
    record DriversInstalled(List<String> drivers, String node) implements Change {
        @Override
        public Kind kind() {
            return Kind.DRIVER;
        }

        @Override
        public String text() {
            return (drivers.size() == 1 ? "CSI driver " : "CSI drivers ") + String.join(" and ", drivers) + " on node "
                    + node;
        }

        /** The node's drivers then. */
        public CsiNode applied(Optional<CsiNode> before) {
            CsiNode now = before.orElseGet(() -> new CsiNode(ObjectMeta.named("", node), Map.of()));
            Set<String> all = new HashSet<>(now.drivers());
            all.addAll(drivers);
            return new CsiNode(now.meta(), Set.copyOf(all), now.limits(), now.topologyKeys());
        }

        /** Returns the change as operations on a CSINode that is there. */
        public List<PatchOperation> patch() {
            return drivers.stream()
                    .map(driver -> PatchOperation.add(
                            "/spec/drivers/-", new TreeMap<>(Map.of("name", driver, "nodeID", node))))
                    .toList();
        }
    }

    /**
     * An object that is neither node nor pod and is there then.
     *
     * @param text for people to read: a noun first
     */
    record ObjectAdded(Kind kind, KubernetesObject object, String text) implements Change {}

    /**
     * An object that is neither node nor pod and is there no longer.
     *
     * @param text for people to read: a noun first
     */
    record ObjectRemoved(Kind kind, KubernetesObject object, String text) implements Change {}

    /**
     * A limit of a policy's that allows more.
     *
     * @param kindName of the policy
     * @param policy its key
     * @param rule its place among the policy's
     * @param before what is allowed now
     */
    record PolicyLimit(String kindName, String policy, int rule, String topologyKey, Field field, int before, int limit)
            implements Change, Sized {

        /** The limits that are numbers. */
        public enum Field implements NamedConstant {
            MAX_PODS,
            MAX_PERCENT,
            MAX_DOMAINS,
            MAX_SKEW;

            private PolicyRule of(PolicyRule rule, int limit) {
                return switch (this) {
                    case MAX_PODS -> rule.withMaxPods(limit);
                    case MAX_PERCENT -> rule.withMaxPercent(limit);
                    case MAX_DOMAINS -> rule.withMaxDomains(limit);
                    case MAX_SKEW -> rule.withMaxSkew(limit);
                };
            }
        }

        @Override
        public Kind kind() {
            return Kind.POLICY;
        }

        @Override
        public String text() {
            String name = policy.substring(policy.indexOf('/') + 1);
            return field.fieldName() + " " + limit + " instead of " + before + " over " + topologyKey + " in "
                    + kindName + " " + name;
        }

        @Override
        public long size() {
            return (long) limit - before;
        }

        @Override
        public Change ofSize(long size) {
            int most = field == Field.MAX_PERCENT ? 100 : Integer.MAX_VALUE;
            return new PolicyLimit(
                    kindName, policy, rule, topologyKey, field, before, (int) Math.min(most, before + size));
        }

        /** Whether this is the one that is changed. */
        public boolean isOf(PolicyObject one) {
            return one.kindName().equals(kindName) && one.meta().key().equals(policy);
        }

        /** The policy once it is changed. */
        public PolicyObject applied(PolicyObject one) {
            List<PolicyRule> rules = new ArrayList<>(one.spec().rules());
            rules.set(rule, field.of(rules.get(rule), limit));
            return one.with(one.spec().with(rules));
        }

        /** Returns the change as operations on the object that the policy was read from. */
        public List<PatchOperation> patch() {
            return List.of(PatchOperation.replace("/spec/rules/" + rule + "/" + field.fieldName(), limit));
        }
    }

    /**
     * A pod in place that goes, and does not come again.
     *
     * @param node where it is
     */
    record PodGone(Pod pod, String node) implements Change {
        @Override
        public Kind kind() {
            return Kind.POD_GONE;
        }

        @Override
        public String text() {
            return "pod " + pod.key() + " gone from node " + node;
        }

        /** Takes the pod from its node, and out of the claims for devices that it uses. */
        public static void make(Pod pod, WhatIf whatIf, ClusterView cluster) {
            whatIf.remove(pod);
            ClaimChange.claimsOf(pod, cluster.objects())
                    .values()
                    .forEach(claim -> ClaimChange.without(claim, pod).ifPresent(whatIf::change));
        }
    }

    /** A change that can be greater or smaller, so that the smallest can be looked for. */
    interface Sized {

        /** How far it is from what there is now, in the smallest steps there are: at least 1. */
        long size();

        /** The same, but of this size. */
        Change ofSize(long size);
    }

    /**
     * An operation of a JSON patch (RFC 6902).
     *
     * @param path a JSON pointer, escaped
     * @param value strings, numbers, booleans, JSON, and lists and maps of such; none to remove what is there
     */
    record PatchOperation(String operation, String path, Optional<Object> value) {

        /** Adds an element to a list, or sets a member of an object, whether it is there or not. */
        public static PatchOperation add(String path, Object value) {
            return new PatchOperation("add", path, Optional.of(value));
        }

        public static PatchOperation replace(String path, Object value) {
            return new PatchOperation("replace", path, Optional.of(value));
        }

        /** Refuses the patch where there is something. */
        public static PatchOperation isAbsent(String path) {
            return new PatchOperation("test", path, Optional.of(new Tree.Raw("null")));
        }

        public static PatchOperation remove(String path) {
            return new PatchOperation("remove", path, Optional.empty());
        }

        /** A name as a part of a path. */
        static String escaped(String name) {
            return name.replace("~", "~0").replace("/", "~1");
        }
    }
}
