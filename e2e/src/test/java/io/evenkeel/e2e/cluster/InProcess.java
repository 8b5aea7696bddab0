package io.evenkeel.e2e.cluster;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.controller.HollowWorld.HollowControllers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A hollow cluster in this JVM, with its controllers. Its log shows what schedulers did under a name of their own. */
final class InProcess implements Cluster {
    private static final String SCHEDULER = "system:kube-scheduler";
    private static final String TOKEN = "scheduler-under-test";

    private final HollowCluster hollow;
    private final HollowControllers controllers;
    private final Path kubeconfig;
    private final Path schedulerKubeconfig;

    InProcess(CompatibilityLevel level) {
        hollow = HollowCluster.start(HollowOptions.DEFAULT.ofRelease(level.toString()));
        controllers = HollowControllers.start(hollow);
        kubeconfig = write(hollow.kubeconfig());
        hollow.tokens().add(TOKEN, User.named(SCHEDULER));
        schedulerKubeconfig = write(hollow.kubeconfig("scheduler", TOKEN));
    }

    static Path write(String kubeconfig) {
        try {
            Path file = Files.createTempFile("evenkeel-e2e-", ".kubeconfig");
            file.toFile().deleteOnExit();
            return Files.writeString(file, kubeconfig);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public Path schedulerKubeconfig() {
        return schedulerKubeconfig;
    }

    @Override
    public Optional<HollowCluster> hollow() {
        return Optional.of(hollow);
    }

    @Override
    public void close() {
        controllers.close();
        hollow.close();
    }
}
