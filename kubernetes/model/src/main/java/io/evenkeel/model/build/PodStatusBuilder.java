package io.evenkeel.model.build;

import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.PodStatus.ExtendedClaim;
import io.evenkeel.model.PodStatus.MadeClaim;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds a pod's status from another. */
public final class PodStatusBuilder {
    private final List<ContainerStatus> containers;
    private final boolean resizeInfeasible;
    private final Map<String, Quantity> allocatedResources;
    private final Optional<Map<String, Quantity>> actualRequests;
    private String phase;
    private String nominatedNodeName;
    private String startTime;
    private Optional<PodCondition> scheduled;
    private Optional<PodCondition> disruptionTarget;
    private Optional<PodCondition> shard;
    private boolean ready;
    private List<MadeClaim> claims;
    private Optional<ExtendedClaim> extendedClaim;

    private PodStatusBuilder(PodStatus status) {
        containers = status.containers();
        resizeInfeasible = status.resizeInfeasible();
        allocatedResources = status.allocatedResources();
        actualRequests = status.actualRequests();
        phase = status.phase();
        nominatedNodeName = status.nominatedNodeName();
        startTime = status.startTime();
        scheduled = status.scheduled();
        disruptionTarget = status.disruptionTarget();
        shard = status.shard();
        ready = status.ready();
        claims = status.claims();
        extendedClaim = status.extendedClaim();
    }

    public static PodStatusBuilder from(PodStatus status) {
        return new PodStatusBuilder(status);
    }

    /** A pod that a kubelet runs. */
    public static PodStatusBuilder running() {
        return from(PodStatus.PENDING).phase("Running");
    }

    public PodStatusBuilder phase(String newPhase) {
        phase = newPhase;
        return this;
    }

    public PodStatusBuilder nominatedNodeName(String name) {
        nominatedNodeName = name;
        return this;
    }

    public PodStatusBuilder startTime(String time) {
        startTime = time;
        return this;
    }

    public PodStatusBuilder scheduled(PodCondition condition) {
        scheduled = Optional.of(condition);
        return this;
    }

    public PodStatusBuilder disruptionTarget(PodCondition condition) {
        disruptionTarget = Optional.of(condition);
        return this;
    }

    public PodStatusBuilder shard(PodCondition condition) {
        shard = Optional.of(condition);
        return this;
    }

    public PodStatusBuilder ready(boolean isReady) {
        ready = isReady;
        return this;
    }

    /** Replaces those that were made from templates. */
    public PodStatusBuilder claims(List<MadeClaim> made) {
        claims = made;
        return this;
    }

    public PodStatusBuilder extendedClaim(ExtendedClaim claim) {
        extendedClaim = Optional.of(claim);
        return this;
    }

    public PodStatus build() {
        return new PodStatus(
                phase,
                nominatedNodeName,
                startTime,
                containers,
                resizeInfeasible,
                allocatedResources,
                actualRequests,
                scheduled,
                disruptionTarget,
                shard,
                ready,
                claims,
                extendedClaim);
    }
}
