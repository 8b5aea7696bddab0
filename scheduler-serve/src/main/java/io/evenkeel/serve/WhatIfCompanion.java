package io.evenkeel.serve;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.http.serve.ServingException;
import io.evenkeel.app.http.serve.ServingOptions.Guard;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.tools.observe.WorkloadTable;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.Questions;
import io.evenkeel.whatif.ClusterSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * Answers what-ifs beside a live scheduler, from a copy of its cluster. The copy is its own, on a thread of its own: a what-if may take
 * seconds, and whoever asks why, or looks at the page, does not wait for it.
 */
final class WhatIfCompanion implements Companion.Answering {
    private final SchedulerConfiguration configuration;
    private final PluginRegistry plugins;
    private final WhatIfPorts ports;
    final Questions questions;
    private final WhatIfMetrics metrics = new WhatIfMetrics();
    private Optional<WhatIfServer> server = Optional.empty();

    /** @param questions are a companion of the same scheduler, before this one */
    WhatIfCompanion(
            SchedulerConfiguration configuration, PluginRegistry plugins, Questions questions, WhatIfPorts ports) {
        this.configuration = configuration;
        this.plugins = plugins;
        this.questions = questions;
        this.ports = ports;
    }

    /** Of {@code run --whatif-api}. */
    public static final class Provider implements CompanionProvider {
        @Override
        public List<Companion> companions(Setup setup) {
            if (setup.whatIf().isEmpty()) {
                return List.of();
            }
            Questions questions = new Questions(
                    setup.configuration(),
                    setup.plugins(),
                    Judgement.OWN,
                    WorkloadTable.spreads(setup.configuration()),
                    false);
            return List.of(
                    questions,
                    new WhatIfCompanion(
                            setup.configuration(),
                            setup.plugins(),
                            questions,
                            setup.whatIf().get()));
        }
    }

    @Override
    public Instruments metrics() {
        return metrics;
    }

    /** @throws ServingException if a port is in use */
    @Override
    public void serve(Optional<Guard> guard) {
        WhatIfServer made = new WhatIfServer(
                new ClusterSource.Followed(
                        questions.placements().answers(),
                        () -> new ClusterSnapshot(configuration, plugins),
                        questions::age),
                new ScenarioQuestions(plugins, configuration.featureGates(), WhatIfLimits.USUAL),
                WhatIfLimits.USUAL,
                metrics);
        server = Optional.of(made);
        made.listen(ports, guard);
    }

    @Override
    public void close() {
        server.ifPresent(WhatIfServer::close);
    }
}
