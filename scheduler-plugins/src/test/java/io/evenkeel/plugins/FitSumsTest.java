package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.NodeChange.MoreOffered;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Amounts as they are told, however large they are. */
class FitSumsTest {
    private final ResourceCluster cluster = new ResourceCluster();

    private List<Account> accounts(String resource, String amount) {
        PodBuilder pod = PodBuilder.pod("asks")
                .container(ContainerBuilder.container("c")
                        .requests(resource, amount)
                        .build());
        return cluster.fit(ScoringStrategy.defaults()).accounts(cluster.state.admit(pod.build()));
    }

    @Test
    void theSumOfAllNodesIsNeverNegative() {
        for (int i = 0; i < 6; i++) {
            cluster.with("n" + i, "example.com/x", "2300000000000000000");
        }

        assertThat(accounts("example.com/x", "9000000000000000000"))
                .containsExactly(new Account.Resource(
                        "example.com/x",
                        "9000000000000000000",
                        "2300000000000000000",
                        "n0",
                        String.valueOf(Long.MAX_VALUE),
                        6));
    }

    @Test
    void onlyBytesAreToldInBytes() {
        cluster.with("n", "cpu", "2048", "memory", "2Gi", "example.com/x", "2048");

        assertThat(accounts("cpu", "4096"))
                .containsExactly(new Account.Resource("cpu", "4096", "2048", "n", "2048", 1));
        assertThat(accounts("example.com/x", "4096"))
                .containsExactly(new Account.Resource("example.com/x", "4096", "2048", "n", "2048", 1));
        assertThat(accounts("memory", "4Gi"))
                .containsExactly(new Account.Resource("memory", "4Gi", "2Gi", "n", "2Gi", 1));
        assertThat(new MoreOffered("n", "cpu", 1500, 2_300_000_000_000_000_000L).text())
                .isEqualTo("2300000000000000 more cpu on node n (2300000000000001500m instead of 1500m)");
    }
}
