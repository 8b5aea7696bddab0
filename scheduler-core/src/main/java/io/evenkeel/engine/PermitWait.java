package io.evenkeel.engine;

import io.evenkeel.config.yaml.GoDuration;
import io.evenkeel.framework.WaitingPod;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.Permission;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** One pod's wait for its permits. What plugins say of it is only passed on, to be heeded later. */
final class PermitWait implements WaitingPod {
    private final PodBinding binding;
    private final List<Permission.Delay> missing;
    private final long since;
    private final long number;
    private final Consumer<Verdict> verdicts;

    /** What a plugin said of a waiting pod. */
    sealed interface Verdict {
        PermitWait of();

        record Allowed(PermitWait of, String plugin) implements Verdict {}

        record Rejected(PermitWait of, Objection objection) implements Verdict {}
    }

    /** @param missing at least one */
    PermitWait(
            PodBinding binding, List<Permission.Delay> missing, long since, long number, Consumer<Verdict> verdicts) {
        this.binding = binding;
        this.missing = new ArrayList<>(missing);
        this.since = since;
        this.number = number;
        this.verdicts = verdicts;
    }

    PodBinding binding() {
        return binding;
    }

    long since() {
        return since;
    }

    /** In the order in which waits began. */
    long number() {
        return number;
    }

    /** When the first plugin's time is up. */
    long end() {
        return since + shortest().limit().toNanos();
    }

    /** Why the pod is turned away at its end. */
    Objection timeout() {
        Permission.Delay late = shortest();
        return new Objection(
                late.plugin(),
                Status.unschedulable("rejected due to timeout after waiting " + GoDuration.format(late.limit())
                        + " at plugin " + late.plugin()));
    }

    private Permission.Delay shortest() {
        return missing.stream()
                .min(Comparator.comparing(Permission.Delay::limit))
                .orElseThrow();
    }

    /** Whether that leaves a permit to wait for. */
    boolean isStillWaitingWithout(String plugin) {
        return missing.stream().anyMatch(delay -> !delay.plugin().equals(plugin));
    }

    void granted(String plugin) {
        missing.removeIf(delay -> delay.plugin().equals(plugin));
    }

    @Override
    public Pod pod() {
        return binding.pod();
    }

    @Override
    public String node() {
        return binding.node();
    }

    @Override
    public List<String> pendingPlugins() {
        return missing.stream().map(Permission.Delay::plugin).toList();
    }

    @Override
    public void allow(String plugin) {
        verdicts.accept(new Verdict.Allowed(this, plugin));
    }

    @Override
    public void reject(String plugin, String message) {
        verdicts.accept(new Verdict.Rejected(this, new Objection(plugin, Status.unschedulable(message))));
    }
}
