package io.evenkeel.tools.why;

import io.evenkeel.model.build.PodBuilder;
import java.util.function.BiConsumer;

/** The kinds of waiting, each as objects of a cluster in which a pod of this name waits so. */
@SuppressWarnings("ImmutableEnumChecker") // what arranges a kind keeps nothing
enum WaitingKind {
    RESOURCES((cluster, name) -> {
        pod(cluster, name, "", "", cpu("500"));
    }),
    CORDON((cluster, name) -> {
        node(cluster, name, "'spec':{'unschedulable':true},");
        pod(cluster, name, "", on(name), "");
    }),
    TAINT((cluster, name) -> {
        node(cluster, name, "'spec':{'taints':[{'key':'dedicated','value':'x','effect':'NoSchedule'}]},");
        pod(cluster, name, "", on(name), "");
    }),
    LABELS((cluster, name) -> {
        pod(cluster, name, "", on("nowhere"), "");
    }),
    PORTS((cluster, name) -> {
        node(cluster, name, "");
        String port = "'ports':[{'containerPort':80,'hostPort':80}],";
        pod(cluster, name + "-there", "", "'nodeName':'" + name + "',", port);
        pod(cluster, name, "", on(name), port);
    }),
    SPREAD((cluster, name) -> {
        pod(cluster, name, "", spread("no-such-key", name), "");
    }),
    NEIGHBOURS((cluster, name) -> {
        pod(
                cluster,
                name,
                "",
                "'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'labelSelector':"
                        + "{'matchLabels':{'app':'nobody'}},'topologyKey':'kubernetes.io/hostname'}]}},",
                "");
    }),
    NO_CLAIM((cluster, name) -> {
        pod(cluster, name, "", claimed(name), "");
    }),
    IMMEDIATE_CLAIM((cluster, name) -> {
        storageClass(cluster, name, "csi.example.com", "Immediate");
        claim(cluster, name, "ReadWriteOnce", "");
        pod(cluster, name, "", claimed(name), "");
    }),
    LATE_CLAIM_WITHOUT_VOLUME((cluster, name) -> {
        storageClass(cluster, name, "kubernetes.io/no-provisioner", "WaitForFirstConsumer");
        claim(cluster, name, "ReadWriteOnce", "");
        pod(cluster, name, "", claimed(name), "");
    }),
    LATE_CLAIM_ON_ITS_WAY((cluster, name) -> {
        storageClass(cluster, name, "csi.example.com", "WaitForFirstConsumer");
        claim(cluster, name, "ReadWriteOnce", "");
        pod(cluster, name, "", claimed(name), "");
    }),
    LATE_CLAIM_WRITTEN((cluster, name) -> {
        storageClass(cluster, name, "csi.example.com", "WaitForFirstConsumer");
        claim(cluster, name, "ReadWriteOnce", "");
        pod(cluster, name, "'fate':'written'", claimed(name), "");
    }),
    VOLUME_ELSEWHERE((cluster, name) -> {
        storageClass(cluster, name, "csi.example.com", "Immediate");
        volume(
                cluster,
                name,
                "",
                "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':"
                        + "[{'key':'special','operator':'In','values':['nowhere']}]}]}},");
        claim(cluster, name, "ReadWriteOnce", name);
        pod(cluster, name, "", claimed(name), "");
    }),
    VOLUME_IN_ANOTHER_ZONE((cluster, name) -> {
        storageClass(cluster, name, "csi.example.com", "Immediate");
        volume(cluster, name, "'labels':{'topology.kubernetes.io/zone':'moon'}", "");
        claim(cluster, name, "ReadWriteOnce", name);
        pod(cluster, name, "", claimed(name), "");
    }),
    TOO_MANY_VOLUMES((cluster, name) -> {
        node(cluster, name, "");
        cluster.put(
                "CSINode",
                name,
                "'spec':{'drivers':[{'name':'csi.example.com','nodeID':'" + name + "','allocatable':{'count':0}}]}");
        storageClass(cluster, name, "csi.example.com", "Immediate");
        volume(cluster, name, "", "");
        claim(cluster, name, "ReadWriteOnce", name);
        pod(cluster, name, "", on(name) + claimed(name), "");
    }),
    CLAIM_IN_USE((cluster, name) -> {
        storageClass(cluster, name, "csi.example.com", "Immediate");
        volume(cluster, name, "", "");
        claim(cluster, name, "ReadWriteOncePod", name);
        node(cluster, name, "");
        pod(cluster, name + "-there", "", "'nodeName':'" + name + "'," + claimed(name), "");
        pod(cluster, name, "", claimed(name), "");
    }),
    DEVICES((cluster, name) -> {
        node(cluster, name, "");
        pod(cluster, name, "", "'resourceClaims':[{'name':'gpu','resourceClaimName':'gpu'}],", "");
    }),
    POLICY((cluster, name) -> {
        policy(cluster, name, "'maxPods':1");
        node(cluster, name, "");
        pod(cluster, name + "-there", "'app':'" + name + "'", "'nodeName':'" + name + "',", "");
        pod(cluster, name, "'app':'" + name + "'", on(name), "");
    }),
    PREFERENCE_FOR_NO_LABEL((cluster, name) -> {
        node(cluster, name, "");
        node(cluster, name + "-too", "");
        pod(
                cluster,
                name,
                "",
                "'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':1,"
                        + "'preference':{'matchExpressions':[{'key':'special','operator':'In','values':['?']}]}}]}},",
                "");
    }),
    GATE((cluster, name) -> {
        pod(cluster, name, "", "'schedulingGates':[{'name':'example.com/wait'}],", "");
    }),
    NO_POD_GROUP((cluster, name) -> {
        members(cluster, name, 2, "");
    }),
    GANG_SHORT_OF_MEMBERS((cluster, name) -> {
        podGroup(cluster, name, 4);
        members(cluster, name, 3, "");
    }),
    GANG_WITHOUT_ROOM((cluster, name) -> {
        podGroup(cluster, name, 3);
        node(cluster, name, "");
        members(cluster, name, 3, on(name) + "'priority':-5,", cpu("3"));
    }),
    GANG_OF_SINGLE_DOMAINS((cluster, name) -> {
        podGroup(cluster, name, 3);
        node(cluster, name, "");
        members(cluster, name, 3, on(name) + spread("kubernetes.io/hostname", name) + "'priority':-5,", cpu("2"));
    }),
    GANG_UNDER_A_POLICY((cluster, name) -> {
        policy(cluster, name, "'maxPods':1");
        node(cluster, name, "");
        cluster.put("PodGroup", name, "'apiVersion':'scheduling.x-k8s.io/v1alpha1','spec':{'minMember':3}");
        for (int i = 2; i >= 0; i--) { // told in another order than listed
            pod(
                    cluster,
                    name + (i == 0 ? "" : "-" + i),
                    "'app':'" + name + "','scheduling.x-k8s.io/pod-group':'" + name + "'",
                    on(name),
                    "");
        }
    }),
    GANG_FOR_WHICH_OTHERS_GO((cluster, name) -> {
        podGroup(cluster, name, 2);
        node(cluster, name, "");
        pod(cluster, name + "-there", "", "'nodeName':'" + name + "','priority':-10,", cpu("3"));
        members(cluster, name, 2, on(name) + "'priority':10,", cpu("2"));
    }),
    GANG_OF_TWO_SCHEDULERS((cluster, name) -> {
        podGroup(cluster, name, 2);
        pod(cluster, name, "", "'schedulingGroup':{'podGroupName':'" + name + "'},", "");
        pod(cluster, name + "-b", "", "'schedulingGroup':{'podGroupName':'" + name + "'},'schedulerName':'other',", "");
    }),
    GANG_WITH_EXTENDERS((cluster, name) -> {
        podGroup(cluster, name, 2);
        members(cluster, name, 2, "", Text.GPU);
    }),
    GANG_REFUSED_LATE((cluster, name) -> {
        podGroup(cluster, name, 2);
        for (int i = 0; i < 2; i++) {
            pod(
                    cluster,
                    name + (i == 0 ? "" : "-" + i),
                    "'fate':'unreserved'",
                    "'schedulingGroup':{'podGroupName':'" + name + "'},",
                    "");
        }
    }),
    COSCHEDULED_SHORT_OF_MEMBERS((cluster, name) -> {
        cluster.put("PodGroup", name, "'apiVersion':'scheduling.x-k8s.io/v1alpha1','spec':{'minMember':3}");
        pod(cluster, name, "'scheduling.x-k8s.io/pod-group':'" + name + "'", "", "");
    }),
    OWNERS_GANG_SHORT_OF_MEMBERS((cluster, name) -> {
        replicaSet(cluster, name, 3);
        owned(cluster, name, 2, "gang", "");
    }),
    OWNERS_GANG_WITHOUT_ROOM((cluster, name) -> {
        replicaSet(cluster, name, 2);
        node(cluster, name, "");
        owned(cluster, name, 2, "gang", on(name) + spread("kubernetes.io/hostname", name) + Text.ANTI.formatted(name));
    }),
    LOOKED_AHEAD_IN_VAIN((cluster, name) -> {
        replicaSet(cluster, name, 3);
        node(cluster, name, "");
        owned(cluster, name, 3, "look-ahead", on(name) + Text.ANTI.formatted(name));
    }),
    NONSENSE_OF_A_GROUP((cluster, name) -> {
        replicaSet(cluster, name, 1);
        owned(cluster, name, 1, "gangg", "");
    }),
    NOTHING_TO_RESERVE((cluster, name) -> {
        pod(cluster, name, "'fate':'unreserved'", "", "");
    }),
    PLUGIN_BROKEN((cluster, name) -> {
        pod(cluster, name, "'fate':'broken'", "", "");
    }),
    FILTER_BROKEN((cluster, name) -> {
        node(cluster, name, "");
        pod(cluster, name, "'fate':'filter-broken'", "", "");
    }),
    PERMIT_DENIED((cluster, name) -> {
        pod(cluster, name, "'fate':'denied'", "", "");
    }),
    PERMIT_AWAITED((cluster, name) -> {
        pod(cluster, name, "'fate':'permitted-late'", "", "");
    }),
    BINDING_REFUSED((cluster, name) -> {
        pod(cluster, name, "'fate':'binding-refused'", "", "");
    }),
    BINDING_REJECTED((cluster, name) -> {
        pod(cluster, name, "'fate':'binding-rejected'", "", "");
    }),
    BINDING_UNANSWERED((cluster, name) -> {
        pod(cluster, name, "'fate':'binding-silent'", "", "");
    }),
    BINDING_UNSEEN((cluster, name) -> {
        pod(cluster, name, "'fate':'binding-unseen'", "", "");
    }),
    BINDING_UNCLEAR((cluster, name) -> {
        pod(cluster, name, "'fate':'binding-unclear'", "", "");
    }),
    EXTENDERS_SAY_NO((cluster, name) -> {
        pod(cluster, name, "", "", Text.GPU);
    }),
    EXTENDERS_FAIL((cluster, name) -> {
        pod(cluster, name, "'fate':'extenders-fail'", "", Text.GPU);
    }),
    EXTENDERS_SILENT((cluster, name) -> {
        pod(cluster, name, "'fate':'extenders-silent'", "", Text.GPU);
    }),
    OTHERS_GO_FOR_IT((cluster, name) -> {
        node(cluster, name, "");
        pod(cluster, name + "-there", "", "'nodeName':'" + name + "','priority':-10,", cpu("3"));
        pod(cluster, name, "", on(name) + "'priority':10,", cpu("3"));
    }),
    BEING_DELETED((cluster, name) -> {
        pod(cluster, name, "", "", "");
        cluster.put(PodBuilder.from(cluster.pods().getLast()).terminating(true).build());
    }),
    NOBODYS((cluster, name) -> {
        pod(cluster, name, "", "'schedulerName':'nobody',", "");
    }),
    NOBODYS_BY_THE_DEFAULT_NAME((cluster, name) -> {
        node(cluster, name, "");
        pod(cluster, name, "", "'schedulerName':'default-scheduler',", "");
        pod(
                cluster,
                name + "-too",
                "",
                "'schedulerName':'default-scheduler','resourceClaims':[{'name':'gpu','resourceClaimName':'gpu'}],",
                "");
    });

    private static final class Text {
        static final String GPU = "'resources':{'requests':{'example.com/gpu':'1'},'limits':{'example.com/gpu':'1'}},";
        static final String ANTI =
                "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'labelSelector':"
                        + "{'matchLabels':{'app':'%s'}},'topologyKey':'kubernetes.io/hostname'}]}},";
    }

    private final BiConsumer<WaitingCluster, String> arranging;

    WaitingKind(BiConsumer<WaitingCluster, String> arranging) {
        this.arranging = arranging;
    }

    void arrange(WaitingCluster cluster, String name) {
        arranging.accept(cluster, name);
    }

    private static String cpu(String amount) {
        return "'resources':{'requests':{'cpu':'" + amount + "'}},";
    }

    /** A node of its own. */
    static void node(WaitingCluster cluster, String name, String more) {
        cluster.put(
                "Node",
                name,
                more + "'metadata':{'labels':{'kubernetes.io/hostname':'" + name + "','special':'" + name
                        + "','topology.kubernetes.io/zone':'a'}},'status':{'allocatable':{'cpu':'4','pods':'20'}}");
    }

    private static String on(String node) {
        return "'nodeSelector':{'special':'" + node + "'},";
    }

    private static String spread(String key, String app) {
        return "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'" + key
                + "','whenUnsatisfiable':'DoNotSchedule','labelSelector':{'matchLabels':{'app':'" + app + "'}}}],";
    }

    static void pod(WaitingCluster cluster, String name, String labels, String spec, String container) {
        pod(cluster, name, "'labels':{" + labels + "}", spec, container, "");
    }

    private static void pod(
            WaitingCluster cluster, String name, String meta, String spec, String container, String more) {
        String scheduler = spec.contains("'schedulerName'") ? "" : "'schedulerName':'evenkeel',";
        cluster.put(
                "Pod",
                name,
                "'metadata':{" + meta + more + "},'spec':{" + spec + scheduler + "'containers':[{" + container
                        + "'name':'c'}]},'status':{'phase':'Pending'}");
    }

    private static String claimed(String claim) {
        return "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'" + claim + "'}}],";
    }

    private static void storageClass(WaitingCluster cluster, String name, String provisioner, String mode) {
        cluster.put("StorageClass", name, "'provisioner':'" + provisioner + "','volumeBindingMode':'" + mode + "'");
    }

    private static void claim(WaitingCluster cluster, String name, String mode, String volume) {
        String bound = volume.isEmpty() ? "" : "'annotations':{'pv.kubernetes.io/bind-completed':'yes'}";
        cluster.put(
                "PersistentVolumeClaim",
                name,
                "'metadata':{" + bound + "},'spec':{'accessModes':['" + mode
                        + "'],'resources':{'requests':{'storage':'1Gi'}},'storageClassName':'" + name
                        + "','volumeName':'" + volume + "'}");
    }

    private static void volume(WaitingCluster cluster, String name, String meta, String more) {
        cluster.put(
                "PersistentVolume",
                name,
                "'metadata':{" + meta + "},'spec':{" + more + "'capacity':{'storage':'1Gi'},'accessModes':"
                        + "['ReadWriteOnce','ReadWriteOncePod'],'storageClassName':'" + name
                        + "','csi':{'driver':'csi.example.com','volumeHandle':'" + name
                        + "'},'claimRef':{'namespace':'default','name':'" + name + "'}},'status':{'phase':'Bound'}");
    }

    private static void policy(WaitingCluster cluster, String name, String rule) {
        cluster.put(
                "PlacementPolicy",
                name,
                "'apiVersion':'evenkeel.io/v1alpha1','spec':{'selector':{'matchLabels':{'app':'" + name
                        + "'}},'rules':[{'topologyKey':'kubernetes.io/hostname'," + rule + "}]}");
    }

    private static void podGroup(WaitingCluster cluster, String name, int minimum) {
        cluster.put(
                "PodGroup",
                name,
                "'apiVersion':'scheduling.k8s.io/v1beta1','spec':{'schedulingPolicy':{'gang':{'minCount':" + minimum
                        + "}}}");
    }

    private static void members(WaitingCluster cluster, String name, int count, String spec) {
        members(cluster, name, count, spec, "");
    }

    private static void members(WaitingCluster cluster, String name, int count, String spec, String container) {
        for (int i = 0; i < count; i++) {
            pod(
                    cluster,
                    name + (i == 0 ? "" : "-" + i),
                    "'app':'" + name + "'",
                    spec + "'schedulingGroup':{'podGroupName':'" + name + "'},",
                    container);
        }
    }

    private static void replicaSet(WaitingCluster cluster, String name, int replicas) {
        cluster.put(
                "ReplicaSet",
                name,
                "'apiVersion':'apps/v1','spec':{'replicas':" + replicas + ",'selector':{'matchLabels':{'app':'" + name
                        + "'}}}");
    }

    private static void owned(WaitingCluster cluster, String name, int count, String mode, String spec) {
        String owner = cluster.uidOf("ReplicaSet", name);
        for (int i = 0; i < count; i++) {
            pod(
                    cluster,
                    name + (i == 0 ? "" : "-" + i),
                    "'labels':{'app':'" + name + "'},'annotations':{'evenkeel.io/group-placement':'" + mode
                            + "'},'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','controller':true,'name':'"
                            + name + "','uid':'" + owner + "'}]",
                    spec,
                    "",
                    "");
        }
    }
}
