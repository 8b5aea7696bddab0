package io.evenkeel.tools.cli;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.groupplacement.GroupPlacement;
import io.evenkeel.tools.simulate.cluster.Arrival;
import io.evenkeel.tools.simulate.cluster.ChangedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Remarks on how pods are judged. */
final class Remarks {
    private Remarks() {}

    static List<String> of(ChangedCluster cluster, PlacingOptions.Named configured) {
        List<String> remarks = new ArrayList<>();
        SchedulerConfiguration configuration = configured.configuration();
        Profile first = configuration.profiles().getFirst();
        Map<String, Profile> profiles = configuration.profiles().stream()
                .collect(Collectors.toMap(Profile::schedulerName, Function.identity()));
        Set<String> others = new TreeSet<>();
        for (Arrival arrival : cluster.arrivals()) {
            String name = arrival.pod().spec().schedulerName();
            if (!profiles.containsKey(name)) {
                others.add(name);
            }
        }
        others.forEach(name -> remarks.add("pods of schedulerName \"" + name
                + "\", which is no profile, are placed as \"" + first.schedulerName() + "\" would"));
        if (configured.isUsual() && !cluster.arrivals().isEmpty()) {
            remarks.add("placed by kube-scheduler's default plugins; --config names what the cluster's scheduler is"
                    + " configured with");
        }
        boolean arePolicies = Stream.of(Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY)
                .anyMatch(kind -> !cluster.picture().all(kind.name()).isEmpty());
        if (configured.isUsual()
                && arePolicies
                && cluster.arrivals().stream()
                        .anyMatch(
                                arrival -> !arrival.pod().spec().schedulerName().equals(Profile.OWN_NAME))) {
            remarks.add("PlacementPolicies are kept for pods of schedulerName " + Profile.OWN_NAME + " alone");
        }
        if (cluster.arrivals().stream()
                .map(Arrival::pod)
                .filter(pod -> pod.meta().annotations().has(Annotations.GROUP_PLACEMENT))
                .map(pod -> profiles.getOrDefault(pod.spec().schedulerName(), first))
                .anyMatch(profile -> !profile.plugins().enabledNames().contains(GroupPlacement.NAME))) {
            remarks.add("the annotation " + Annotations.GROUP_PLACEMENT + " of pods is without effect: "
                    + GroupPlacement.NAME + " is not enabled in their profile");
        }
        if (!configuration.extenders().isEmpty()) {
            remarks.add("extenders are not asked: each is taken to agree");
        }
        if (cluster.arrivals().stream()
                .anyMatch(arrival -> !arrival.pod().spec().resourceClaims().isEmpty())) {
            remarks.add("devices that pods claim are not looked at");
        }
        return remarks;
    }
}
