package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.Commands.bind;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DryRunTest {
    private final List<CommandResult> results = new ArrayList<>();
    private final DryRun dryRun = new DryRun(results::add, 2);

    @Test
    void aPodIsSeenAsBoundAndTheOldestIsForgotten() {
        List.of("a", "b", "c").forEach(name -> dryRun.submit(bind(pod(name), "node-of-" + name)));
        results.clear();

        List.of("a", "b", "c").forEach(name -> dryRun.submit(new Command.Lookup(pod(name))));

        assertThat(results)
                .extracting(result -> ((CommandResult.Found) result).found().orElseThrow())
                .extracting(pod -> pod.spec().nodeName())
                .containsExactly("", "node-of-b", "node-of-c");
    }
}
