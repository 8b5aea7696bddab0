package io.evenkeel.chart.live;

import static io.evenkeel.chart.live.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.hollow.Authorizer;
import io.evenkeel.hollow.Authorizer.Attributes;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The why API of the chart's scheduler, as RBAC grants it: by namespace. */
class WhyServedTest {
    private static final Manifests RENDERED = Chart.render("why: {enabled: true}");
    private static final String SCHEDULER = "scheduler-token";
    private static final String TENANT = "tenant-token";
    private static final String ADMINISTRATOR = "administrator-token";

    private final HollowCluster cluster = HollowCluster.start();
    private final Rights rights = Rights.of("kube-system", "evenkeel", RENDERED.all());

    @TempDir
    private Path folder;

    /** A node that a pod of another namespace fills, so that its going would help. */
    @BeforeEach
    void fill() {
        cluster.tokens().add(SCHEDULER, User.named(rights.user(), "system:serviceaccounts"));
        cluster.tokens().add(TENANT, User.named("tenant"));
        cluster.tokens().add(ADMINISTRATOR, User.named("administrator"));
        cluster.authorize(rules());
        cluster.objects().create("""
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},
                 "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}
                """);
        for (String namespace : new String[] {"bank", "shop"}) {
            cluster.objects().create("""
                    {"kind":"Namespace","apiVersion":"v1","metadata":{"name":"%s"}}
                    """.formatted(namespace));
        }
        pod("bank", "vault", "3");
        cluster.objects().bind("bank", "vault", "n1");
        pod("shop", "web", "2");
        pod("bank", "ledger", "2");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** The tenant's right is what a RoleBinding in the namespace gives; the scheduler's are the chart's. */
    private Authorizer rules() {
        return (user, call) -> {
            if (user.name().equals("tenant")) {
                return isQuestion(call) && call.namespace().equals("shop");
            }
            return !user.equals(User.ANONYMOUS) && rights.allows(user, call);
        };
    }

    private static boolean isQuestion(Attributes call) {
        return call.group().equals("why.evenkeel.io")
                && (call.resourcePath().equals("pods/placement")
                        ? call.verb().equals("get")
                        : List.of("placements", "spreads").contains(call.resourcePath())
                                && call.verb().equals("list"));
    }

    private void pod(String namespace, String name, String cpu) {
        cluster.objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s"},"spec":{"schedulerName":"evenkeel",
                 "containers":[{"name":"main","image":"example.com/main:1","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(name, namespace, cpu));
    }

    @Rotated(2)
    @Test
    void aTenantAsksAboutItsOwnNamespaceAndLearnsNothingOfOthers() throws Exception {
        try (SchedulerProcess scheduler = SchedulerProcess.start(folder, RENDERED, cluster, "scheduler", SCHEDULER)) {
            scheduler.awaitReady();
            eventually("the leader has tried the pod")
                    .until(() -> ask(scheduler, "shop/pods/web/placement", TENANT)
                            .body()
                            .contains("\"attempts\":1"));

            HttpResponse<String> own = ask(scheduler, "shop/pods/web/placement", TENANT);
            assertThat(own.statusCode()).isEqualTo(200);
            assertThat(own.body())
                    .contains("1 Insufficient cpu")
                    .contains("\"queue\":{\"name\":\"unschedulable\"")
                    .doesNotContain("vault")
                    .doesNotContain("bank");

            assertThat(ask(scheduler, "shop/placements?output=text", TENANT).body())
                    .startsWith("1 cause holds up 1 pod\n")
                    .contains("shop/web waits")
                    .doesNotContain("vault")
                    .doesNotContain("bank");

            assertThat(ask(scheduler, "shop/spreads", TENANT).body()).startsWith("{\"kind\":\"SpreadList\",");

            for (String refused : new String[] {
                "bank/pods/ledger/placement",
                "bank/pods/none/placement",
                "shop/pods/web/placement?allNamespaces",
                "bank/placements",
                "bank/spreads",
                "shop/placements?allNamespaces"
            }) {
                HttpResponse<String> other = ask(scheduler, refused, TENANT);
                assertThat(other.statusCode()).as(refused).isEqualTo(403);
                assertThat(other.body()).contains("\"reason\":\"Forbidden\"").doesNotContain("vault");
            }
            assertThat(ask(scheduler, "shop/pods/web/placement", "").statusCode())
                    .isEqualTo(403);
            assertThat(ask(scheduler, "shop/pods/web/placement?allNamespaces", ADMINISTRATOR)
                            .body())
                    .contains("{\"remove\":\"Pod/bank/vault\"}");
            assertThat(scheduler.stop()).isZero();
            assertThat(cluster.requestLog().requests())
                    .filteredOn(request -> request.user().equals(rights.user()))
                    .noneMatch(request -> request.code() == 403);
        }
    }

    private static HttpResponse<String> ask(SchedulerProcess scheduler, String what, String token)
            throws IOException, InterruptedException {
        return scheduler.get("/apis/why.evenkeel.io/v1alpha1/namespaces/" + what, token);
    }
}
