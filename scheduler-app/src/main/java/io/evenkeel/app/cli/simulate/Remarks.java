package io.evenkeel.app.cli.simulate;

import io.evenkeel.app.simulate.cluster.Arrival;
import io.evenkeel.app.simulate.cluster.ChangedCluster;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is to be known of how pods are judged. */
final class Remarks {
    private Remarks() {}

    static List<String> of(ChangedCluster cluster, PlacingOptions.Named configured) {
        List<String> remarks = new ArrayList<>();
        SchedulerConfiguration configuration = configured.configuration();
        Set<String> profiles =
                configuration.profiles().stream().map(Profile::schedulerName).collect(Collectors.toSet());
        Set<String> others = new TreeSet<>();
        for (Arrival arrival : cluster.arrivals()) {
            String name = arrival.pod().spec().schedulerName();
            if (!profiles.contains(name)) {
                others.add(name);
            }
        }
        others.forEach(
                name -> remarks.add("pods of schedulerName \"" + name + "\", which is no profile, are placed as \""
                        + configuration.profiles().getFirst().schedulerName() + "\" would"));
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
        if (!configuration.extenders().isEmpty()) {
            remarks.add("extenders are not asked");
        }
        if (cluster.arrivals().stream()
                .anyMatch(arrival -> !arrival.pod().spec().resourceClaims().isEmpty())) {
            remarks.add("devices that pods claim are not looked at");
        }
        return remarks;
    }
}
