package io.evenkeel.chart.helm;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.UpgradeCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** A release named {@code evenkeel} in {@code kube-system}, of the cluster that a kubeconfig leads to. */
public record Release(Path kubeconfig) {
    private static final String NAME = "evenkeel";
    private static final String NAMESPACE = "kube-system";
    private static final int SECONDS_TO_WAIT = 600;

    /** What Helm says of it, the chart's notes among that. */
    public String install(String values) {
        return install(Chart.FOLDER, values);
    }

    public String install(Path chart, String values) {
        return Chart.withFile(
                values,
                file -> new Helm(chart)
                        .install()
                        .withName(NAME)
                        .withNamespace(NAMESPACE)
                        .withKubeConfig(kubeconfig)
                        .withValuesFile(file)
                        .call()
                        .getOutput());
    }

    /** As {@code --reset-then-reuse-values} does: values are laid over those that the release has. */
    public void upgrade(String values) {
        upgrade(values, UpgradeCommand::resetThenReuseValues);
    }

    /** As where nothing is said of the values that the release has: they are forgotten. */
    public void upgradeAnew(String values) {
        upgrade(values, command -> command);
    }

    /**
     * As {@code --atomic} does: waits until the new pods are ready, and rolls back where something fails.
     *
     * @throws IllegalStateException if it has been rolled back
     */
    public void upgradeOrRollBack(String values) {
        upgrade(values, command -> command.resetThenReuseValues().atomic().withTimeout(SECONDS_TO_WAIT));
    }

    private void upgrade(String values, UnaryOperator<UpgradeCommand> way) {
        Chart.withFile(
                values,
                file -> way.apply(new Helm(Chart.FOLDER)
                                .upgrade()
                                .withName(NAME)
                                .withNamespace(NAMESPACE)
                                .withKubeConfig(kubeconfig)
                                .withValuesFile(file))
                        .call());
    }

    public void uninstall() {
        Helm.uninstall(NAME).withNamespace(NAMESPACE).withKubeConfig(kubeconfig).call();
    }

    /** What was said of values when a revision was made, in YAML. */
    public String values(int revision) {
        return Helm.get(NAME)
                .values()
                .withRevision(revision)
                .withNamespace(NAMESPACE)
                .withKubeConfig(kubeconfig)
                .call();
    }

    /** What became of a revision, and why it was made. */
    public record Revision(int number, String status, String description) {}

    /** Oldest first. */
    public List<Revision> history() {
        return Helm.history(NAME).withNamespace(NAMESPACE).withKubeConfig(kubeconfig).call().stream()
                .map(found -> new Revision(found.getRevision(), found.getStatus(), found.getDescription()))
                .toList();
    }
}
