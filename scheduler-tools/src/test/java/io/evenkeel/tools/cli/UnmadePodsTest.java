package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.CauseTable.Shortfall;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.MeantPods;
import io.evenkeel.tools.why.UsualProfiles;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnmadePodsTest {
    private static final MeantPods ALL = new MeantPods(Optional.empty(), Optional.empty(), Optional.empty());

    private final ClusterQuestions questions = new ClusterQuestions(
            UsualProfiles.OF_PODS_THAT_WAIT, InTreePlugins.registry(), Judgement.GUESSED, (_, _) -> {});
    private final Map<String, String> server = new HashMap<>();
    private final List<String> events = new ArrayList<>();
    private final ScriptedTransport transport = new ScriptedTransport(call -> {
        int query = call.path().indexOf('?');
        if (query >= 0 && call.path().substring(0, query).endsWith("/events")) {
            return Answers.of(200, "{\"items\":[" + String.join(",", events) + "]}");
        }
        return server.containsKey(call.path())
                ? Answers.of(200, server.get(call.path()))
                : Answers.of(404, "{\"kind\":\"Status\",\"code\":404}");
    });
    private long nanos;

    @BeforeEach
    void knowAll() {
        questions.tell(List.of());
    }

    private UnmadePods asked(MeantPods asked) {
        return new UnmadePods(transport, questions, asked, () -> nanos);
    }

    private static MeantPods of(String kind, String name) {
        return MeantPods.of(new Workload(kind, "default", name));
    }

    private List<String> told(MeantPods asked) {
        return asked(asked).told().shortfalls().stream().map(Shortfall::text).toList();
    }

    private static String single(String json) {
        return json.replace('\'', '"');
    }

    private void watched(String json) {
        questions.follow(new ClusterEvent.Put(new ObjectReader().read(single(json))));
    }

    private void pods(String ownerKind, String owner, int count) {
        for (int i = 0; i < count; i++) {
            watched("""
                    {'apiVersion':'v1','kind':'Pod','metadata':{'name':'%2$s-%3$d','namespace':'default',
                     'ownerReferences':[{'apiVersion':'apps/v1','kind':'%1$s','name':'%2$s','uid':'%2$s-uid','controller':true}]},
                     'spec':{'containers':[{'name':'main','image':'i'}]}}""".formatted(ownerKind, owner, i));
        }
    }

    /** One that the server has with a status, and the watch too. */
    private void owner(String kind, String name, int replicas, String metadata, String status) {
        String json = """
                {'apiVersion':'apps/v1','kind':'%1$s','metadata':{'name':'%2$s','namespace':'default','uid':'%2$s-uid'%4$s},
                 'spec':{'replicas':%3$d,'selector':{'matchLabels':{'app':'%2$s'}}},'status':{%5$s}}""".formatted(kind, name, replicas, metadata, status);
        server.put("/apis/apps/v1/namespaces/default/" + kind.toLowerCase(Locale.ROOT) + "s/" + name, single(json));
        if (!kind.equals("Deployment") && !kind.equals("DaemonSet")) {
            watched(json);
        }
    }

    private static String failure(String message) {
        return "'conditions':[{'type':'ReplicaFailure','status':'True','lastTransitionTime':'2026-01-01T00:00:00Z','message':'"
                + message + "'}]";
    }

    private void event(String kind, String name, String uid, String reason, String time) {
        events.add(single("""
                {'metadata':{'name':'%2$s.1'},'involvedObject':{'kind':'%1$s','namespace':'default','name':'%2$s','uid':'%3$s'},
                 'reason':'%4$s','message':'Error creating: over quota','firstTimestamp':'%5$s','lastTimestamp':'%5$s'}""".formatted(kind, name, uid, reason, time)));
    }

    @Test
    void aRolloutIsStuckWhereTheNewReplicaSetLacksPodsThoughTheOldOneHasAll() {
        String above =
                ",'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'web','uid':'web-uid','controller':true}]";
        owner("Deployment", "web", 3, "", "");
        owner("ReplicaSet", "web-old", 3, above, "");
        owner("ReplicaSet", "web-new", 1, above, failure("\\'web-new-x7k2p\\' is over quota"));
        owner("ReplicaSet", "webs", 1, "", failure("another"));
        pods("ReplicaSet", "web-old", 3);

        assertThat(told(of("Deployment", "web")))
                .containsExactly("the pod of ReplicaSet default/web-new of Deployment web is not made:"
                        + " \"web-new-\" is over quota");

        pods("ReplicaSet", "web-new", 1);

        assertThat(told(of("Deployment", "web"))).isEmpty();
    }

    @Test
    void anEventOfAnEarlierOwnerOrOneThatASuccessOvertookIsNoCause() {
        owner("StatefulSet", "db", 3, "", "");
        event("StatefulSet", "db", "earlier", "FailedCreate", "2026-01-01T00:00:05Z");
        assertThat(told(ALL)).isEmpty();

        event("StatefulSet", "db", "db-uid", "FailedCreate", "2026-01-01T00:00:02Z");
        assertThat(told(ALL)).containsExactly("3 of the 3 pods of StatefulSet default/db are not made: over quota");

        event("StatefulSet", "db", "earlier", "SuccessfulCreate", "2026-01-01T00:00:09Z");
        assertThat(told(ALL)).hasSize(1);

        event("StatefulSet", "db", "db-uid", "SuccessfulCreate", "2026-01-01T00:00:03Z");
        assertThat(told(ALL)).isEmpty();

        event("StatefulSet", "db", "db-uid", "FailedCreate", "2026-01-01T00:00:04Z");
        assertThat(told(ALL)).hasSize(1);
    }

    @Test
    void aConditionSaysWhetherItIsSoAndTheLastEventWhy() {
        owner("ReplicaSet", "web", 3, "", "");
        event("ReplicaSet", "web", "web-uid", "FailedCreate", "2026-01-01T00:00:02Z");

        assertThat(told(ALL)).isEmpty();

        owner("ReplicaSet", "web", 3, "", failure("first refusal"));

        assertThat(told(ALL)).containsExactly("3 of the 3 pods of ReplicaSet default/web are not made: over quota");
    }

    @Test
    void jobsAndDaemonSetsAreToldAmongAll() {
        server.put(
                "/apis/batch/v1/namespaces/default/jobs/nightly-1",
                single("{'kind':'Job','metadata':{'uid':'nightly-1-uid'},'spec':{'parallelism':2,'completions':4}}"));
        owner("DaemonSet", "agent", 1, "", "'desiredNumberScheduled':5");
        event("Job", "nightly-1", "nightly-1-uid", "FailedCreate", "2026-01-01T00:00:02Z");
        event("DaemonSet", "agent", "agent-uid", "FailedCreate", "2026-01-01T00:00:02Z");
        event("Job", "gone", "gone-uid", "FailedCreate", "2026-01-01T00:00:02Z");
        pods("DaemonSet", "agent", 3);

        assertThat(told(ALL))
                .containsExactly(
                        "2 of the 2 pods of Job default/nightly-1 are not made: over quota",
                        "2 of the 5 pods of DaemonSet default/agent are not made: over quota");
        server.put("/apis/batch/v1/namespaces/default/cronjobs/nightly", "{}");
        assertThat(told(of("CronJob", "nightly")))
                .containsExactly("2 of the 2 pods of Job default/nightly-1 are not made: over quota");
    }

    /** Of ten indexes two succeeded and five failed for good. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            'failedIndexes':'1,3-5,9'                                                       | 3
            'failedIndexes':''                                                              | 5
            'failedIndexes':'1,3-5','conditions':[{'type':'FailureTarget','status':'True'}] | 0
            """)
    void indexesOfAJobThatFailedForGoodAreNotMadeAgain(String status, int missing) {
        server.put("/apis/batch/v1/namespaces/default/jobs/map", single("""
                {'kind':'Job','metadata':{'uid':'map-uid'},'spec':{'parallelism':5,'completions':10,'backoffLimitPerIndex':1},
                 'status':{'succeeded':2,'failed':5,%s}}""".formatted(status)));
        event("Job", "map", "map-uid", "FailedCreate", "2026-01-01T00:00:02Z");

        assertThat(told(ALL))
                .isEqualTo(
                        missing == 0
                                ? List.of()
                                : List.of("%1$d of the %1$d pods of Job default/map are not made: over quota"
                                        .formatted(missing)));
    }

    @Test
    void withoutAReasonFewerPodsAreToldOfWhatMakesAllAtOnceAlone() {
        owner("ReplicaSet", "web", 3, "", "");
        owner("StatefulSet", "db", 3, "", "");
        pods("StatefulSet", "db", 1);
        server.put(
                "/apis/batch/v1/namespaces/default/jobs/import",
                single(
                        "{'kind':'Job','metadata':{'uid':'import-uid'},'spec':{'parallelism':2},'status':{'failed':1}}"));

        assertThat(told(of("ReplicaSet", "web")))
                .containsExactly(
                        "3 of the 3 pods of ReplicaSet default/web are not made: its controller does not say why");
        assertThat(told(of("StatefulSet", "db"))).isEmpty();
        assertThat(told(of("Job", "import"))).isEmpty();
    }

    @Test
    void theServerIsAskedAgainAfterAPauseAndNotAboutAll() {
        for (int i = 0; i < 60; i++) {
            owner("ReplicaSet", "web-" + i, 1, "", failure("over quota"));
        }
        UnmadePods unmade = asked(ALL);

        List<Shortfall> first = unmade.told().shortfalls();
        assertThat(first).hasSize(50);
        assertThat(unmade.told().notLookedAt()).isEqualTo(10);
        int calls = transport.calls().size();
        assertThat(calls).isEqualTo(51);

        pods("ReplicaSet", first.getFirst().owner().substring("ReplicaSet default/".length()), 1);
        nanos += UnmadePods.PAUSE.toNanos() - 1;
        assertThat(unmade.told().shortfalls()).hasSize(49);
        assertThat(transport.calls()).hasSize(calls);

        nanos++;
        assertThat(unmade.told().shortfalls()).hasSize(50);
        assertThat(unmade.told().notLookedAt()).isEqualTo(9);
        assertThat(transport.calls()).hasSize(2 * calls);
    }
}
