package io.evenkeel.world.life;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** The sorts of pods that are made, each with another reason not to be placed just anywhere. */
final class Templates {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String SELECTOR = "{\"matchLabels\":{\"app\":\"%s\"}}";
    private static final String HARD = "DoNotSchedule";

    /** For whom nodes count on which it may not be. */
    private static final String IGNORED = ",\"nodeAffinityPolicy\":\"Ignore\"";

    /** That a pod uses a claim, which has this name in it too. */
    static final String CLAIM = "{\"name\":\"%1$s\",\"resourceClaimName\":\"%1$s\"}";

    /** That a pod uses a claim, which is made for it. */
    static final String CLAIM_OF_TEMPLATE = "{\"name\":\"made\",\"resourceClaimTemplateName\":\"one\"}";

    /** That it asks for so many of these. */
    static final String RESOURCE = "\"%s\":\"%d\",";

    /** Of an app. */
    private record Sort(String app, String cpu, String spec) {}

    /** The first is the tamest. */
    private static final List<Sort> ALL = List.of(
            new Sort("plain", "1", ""),
            new Sort("large", "3", ""),
            new Sort("zones", "1", spread("zones", ZONE, 1, HARD, "")),
            new Sort("hosts", "500m", spread("hosts", HOSTNAME, 2, HARD, "")),
            new Sort("apart", "500m", """
                ,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":\
                [{"topologyKey":"%s","labelSelector":%s}]}}\
                """.formatted(HOSTNAME, SELECTOR.formatted("apart"))),
            new Sort("near", "500m", near("zones")),
            new Sort("port", "500m", ""),
            new Sort("gated", "1", ",\"schedulingGates\":[{\"name\":\"example.com/wait\"}]"),
            new Sort("soft", "500m", spread("soft", ZONE, 1, "ScheduleAnyway", "")),
            new Sort("domains", "500m", spread("domains", ZONE, 1, HARD, ",\"minDomains\":2")),
            new Sort("rolled", "500m", spread("rolled", HOSTNAME, 1, HARD, ",\"matchLabelKeys\":[\"revision\"]")),
            new Sort("selecting", "500m", ",\"nodeSelector\":{\"%s\":\"zone-1\"}".formatted(ZONE)),
            new Sort("some-zones", "500m", spread("some-zones", HOSTNAME, 1, HARD, "") + """
                ,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":\
                [{"matchExpressions":[{"key":"%s","operator":"NotIn","values":["zone-2"]}]}]}}}\
                """.formatted(ZONE)),
            new Sort("tolerant", "1", tolerations()),
            new Sort("double", "2", ""),
            new Sort("host", "500m", ""),
            new Sort("guest", "500m", near("host")),
            new Sort("unreadable", Garbling.AMOUNT, ""),
            new Sort("zone-apart", "500m", apart("zone-apart", ZONE)),
            new Sort("shunning", "500m", apart("plain", ZONE)),
            new Sort("shunning-hosts", "500m", apart("plain", HOSTNAME)),
            new Sort("pooled", "500m", inPool()),
            new Sort("pooled-even", "500m", inPool() + spread("pooled-even", HOSTNAME, 1, HARD, "")),
            new Sort("pooled-zones", "500m", inPool() + spread("pooled-zones", ZONE, 1, HARD, "")),
            new Sort("together", "500m", near("together")),
            new Sort("near-plain", "500m", near("plain")),
            new Sort("alone", "1", spread("alone", ZONE, 1, HARD, "") + apart("alone", HOSTNAME)),
            new Sort("pinned", "500m", ",\"nodeSelector\":{\"%s\":\"node-1\"}".formatted(HOSTNAME)),
            new Sort("guard", "500m", apart("guarded", ZONE)),
            new Sort("guarded", "500m", ""),
            new Sort("pooled-anywhere", "500m", inPool() + spread("pooled-anywhere", ZONE, 1, HARD, IGNORED)));

    /** The priority class of the pods that go first. */
    static final String IMPORTANT = "first-of-all";

    /** That of pods which go for those, and for which others go. */
    static final String MIDDLING = "before-some";

    /** That of all others: none. */
    static final String ANY = "";

    /** The key of a taint. */
    static final String DEDICATED = "example.com/dedicated";

    /** The sort that a controller keeps some of. */
    static final int ROLLED = 10;

    /** It shuns these across the zone, who shun nobody. */
    static final int GUARD = 28;

    static final String GUARDED = "guarded";

    /** Few of these fill a cluster. */
    static final List<Integer> FILLING = List.of(0, 1, 14);

    /** Many wait for one of these. */
    static final int HOST = 15;

    static final int GUEST = 16;

    /** So many are made anywhere; the others where nodes are parted among engines. */
    private static final int COMMON = 18;

    /** The sorts that one node with none of them keeps from the others. */
    static final List<Integer> EVEN = List.of(2, ROLLED, 12);

    /** Why some fit nowhere: they ask for too much; for a node that is not there; for too much, and are to be spread. */
    static final List<String> HOPELESS = List.of(
            "", ",\"nodeSelector\":{\"%s\":\"nowhere\"}".formatted(HOSTNAME), spread("hopeless", ZONE, 1, HARD, ""));

    private Templates() {}

    private static String apart(String app, String key) {
        return """
            ,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":\
            [{"topologyKey":"%s","labelSelector":%s}]}}\
            """.formatted(key, SELECTOR.formatted(app));
    }

    private static String inPool() {
        return ",\"nodeSelector\":{\"%s\":\"a\"}".formatted(Life.POOL);
    }

    private static String near(String app) {
        return """
            ,"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":\
            [{"topologyKey":"%s","labelSelector":%s}]}}\
            """.formatted(ZONE, SELECTOR.formatted(app));
    }

    /** Of a pod that goes there and nowhere else, though it is for few. */
    static String only(String node) {
        return ",\"nodeSelector\":{\"%s\":\"%s\"}".formatted(HOSTNAME, node) + tolerations();
    }

    private static String tolerations() {
        return ",\"tolerations\":[{\"key\":\"%s\",\"operator\":\"Exists\"}]".formatted(DEDICATED);
    }

    static int count() {
        return COMMON;
    }

    /** Those that are made where nodes are parted among engines: what these must agree about, and what one decides alone. */
    static List<Integer> ofShards() {
        return IntStream.range(COMMON, ALL.size()).boxed().toList();
    }

    private static String spread(String app, String key, int maxSkew, String unless, String more) {
        return """
            ,"topologySpreadConstraints":[{"maxSkew":%d,"topologyKey":"%s","whenUnsatisfiable":"%s",\
            "labelSelector":%s%s}]\
            """.formatted(maxSkew, key, unless, SELECTOR.formatted(app), more);
    }

    /** The sort of an app, if it is one of these. */
    static OptionalInt ofApp(String app) {
        return IntStream.range(0, ALL.size())
                .filter(sort -> app(sort).equals(app))
                .findFirst();
    }

    static String app(int template) {
        return ALL.get(template).app;
    }

    /** One that waits for a host, and may be where others are kept from. */
    static String guest(String name, int revision) {
        Sort sort = new Sort(app(GUEST), "500m", near(app(HOST)) + tolerations());
        return pod(sort, "default", name, "default-scheduler", revision, ANY);
    }

    /** One that asks for more than any node has. */
    static String hopeless(String name, String spec) {
        return pod(new Sort("hopeless", "50", spec), "default", name, "default-scheduler", 0, ANY);
    }

    /** One that takes half of a node and goes nowhere else. */
    static String only(String name, String node, String scheduler, String priorityClass) {
        return pod(new Sort("only", "2", only(node)), "default", name, scheduler, 0, priorityClass);
    }

    /** One that asks for so much and goes nowhere else, as others do that stay apart from it in no way. */
    static String onlyOn(String node, String app, String name, String cpu, String priorityClass) {
        return pod(new Sort(app, cpu, only(node)), "default", name, "default-scheduler", 0, priorityClass);
    }

    /** One of a sort that any node with room would do for. */
    static String podWithClaim(String name, String priorityClass, String claim) {
        Sort sort = new Sort(
                "stateful",
                "500m",
                ",\"volumes\":[{\"name\":\"data\",\"persistentVolumeClaim\":{\"claimName\":\"%s\"}}]".formatted(claim));
        return pod(sort, "default", name, "default-scheduler", 0, priorityClass);
    }

    /** The same, with claims to devices, or with what stands for devices. */
    static String podForDevices(String name, String priorityClass, String requests, String claims) {
        String spec = claims.isEmpty() ? "" : ",\"resourceClaims\":[%s]".formatted(claims);
        return pod(new Sort("devoted", "500m", spec), "default", name, "default-scheduler", 0, priorityClass)
                .replace("\"requests\":{", "\"requests\":{" + requests);
    }

    static String pod(
            int template, String namespace, String name, String schedulerName, int revision, String priorityClass) {
        return pod(ALL.get(template), namespace, name, schedulerName, revision, priorityClass);
    }

    private static String pod(
            Sort sort, String namespace, String name, String schedulerName, int revision, String priorityClass) {
        String priority = priorityClass.isEmpty() ? "" : ",\"priorityClassName\":\"%s\"".formatted(priorityClass);
        String ports = sort.app.equals("port") ? ",\"ports\":[{\"containerPort\":80,\"hostPort\":8080}]" : "";
        return """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s","labels":{"app":"%s",\
            "revision":"r%d"}},"spec":{"schedulerName":"%s","containers":[{"name":"main","image":"example.com/main:1",\
            "resources":{"requests":{"cpu":"%s","memory":"64Mi"}}%s}]%s%s}}\
            """.formatted(name, namespace, sort.app, revision, schedulerName, sort.cpu, ports, sort.spec, priority);
    }

    /** One that asks for what an extender looks after. */
    static String withPart(String pod) {
        return pod.replace("\"requests\":{", "\"requests\":{\"%s\":\"1\",".formatted(Life.PART));
    }

    /** The same, in a pool. */
    static String inPool(String node, String pool) {
        return node.replace("\"labels\":{", "\"labels\":{\"%s\":\"%s\",".formatted(Life.POOL, pool));
    }

    static String node(String name, int zone, int cpus) {
        return """
            {"kind":"Node","apiVersion":"v1","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s",\
            "topology.kubernetes.io/zone":"zone-%2$d"}},"status":{"allocatable":{"cpu":"%3$d","memory":"8Gi",\
            "pods":"8"},"capacity":{"cpu":"%3$d","memory":"8Gi","pods":"8"}}}\
            """.formatted(name, zone, cpus);
    }
}
