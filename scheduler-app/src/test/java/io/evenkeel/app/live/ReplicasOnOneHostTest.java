package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.build.PodBuilder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Two replicas may have one host name, as with hostNetwork: what they say is told apart all the same. */
class ReplicasOnOneHostTest {
    private static final Pattern INSTANCE = Pattern.compile("\"reportingInstance\":\"([^\"]*)\"");

    @Test
    void eventsNameTheReplicaThatTheyAreFrom() {
        assertThat(instance()).startsWith("default-scheduler-test_").isNotEqualTo(instance());
    }

    private static String instance() {
        ScriptedTransport server = new ScriptedTransport(_ -> Answers.recorded("create event"));
        try (DrivenScheduler replica = DrivenScheduler.writing(server)) {
            replica.leads(PodBuilder.pod("fits-nowhere").build());
            await().until(() -> server.bodies().stream().anyMatch(body -> body.contains("reportingInstance")));
        }
        return server.bodies().stream()
                .map(INSTANCE::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }
}
