package io.evenkeel.tools.why;

import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Account.NodeDevices;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints a plugin's counts for a rule, in a line. */
final class AccountText {
    private static final String SELECTOR = "selector ";

    private AccountText() {}

    static String of(Account account) {
        return switch (account) {
            case Account.Spread spread ->
                "maxSkew " + spread.maxSkew() + " over " + spread.topologyKey()
                        + (spread.minDomains() > 1
                                ? ", minDomains " + spread.minDomains() + " of " + counted(spread) + " there are"
                                : "")
                        + ", pods " + selector(spread.selector()) + ": the fewest are " + spread.fewest();
            case Account.Resource resource ->
                resource.resource() + ": " + resource.asked() + " asked for, " + resource.mostFree()
                        + " free at most, on node " + resource.node() + ", and " + resource.freeInAll()
                        + " on all nodes together";
            case Account.Neighbours neighbours ->
                neighbours.rule() + " over " + neighbours.topologyKey() + ", " + selector(neighbours.selector());
            case Account.Places places ->
                places.text() + ": " + places.nodes().size() + " of " + places.of() + " nodes";
            case Account.VolumeLimit limit ->
                "driver " + limit.driver() + ": " + limit.asked() + (limit.asked() == 1 ? " volume" : " volumes")
                        + " asked for";
            case Account.Devices devices -> devices(devices);
            case Account.Words(var text) -> text;
            case Account.Mistake(var text, var _) -> text;
        };
    }

    private static String devices(Account.Devices devices) {
        String who = (devices.request().isEmpty() ? "" : "request " + devices.request() + " of ")
                + (devices.claim().isEmpty() ? "the pod" : "claim " + devices.claim()) + " wants ";
        String what = devices.asked() == 0
                ? "all devices of class " + devices.deviceClass() + " on a node"
                : devices.asked() + (devices.asked() == 1 ? " device" : " devices") + " of class "
                        + devices.deviceClass() + (devices.asked() == 1 ? "" : " on one node");
        if (devices.nodes().isEmpty()) {
            return who + what + "; no node has any" + instead(devices);
        }
        NodeDevices best = devices.nodes().getFirst();
        return who + what + "; "
                + (devices.nodes().size() == 1 && devices.more() == 0
                        ? "the only node with any, " + best.node() + ","
                        : "the best node, " + best.node() + ",")
                + " has " + counts(best, !devices.instead().isEmpty())
                + (devices.beside().isEmpty() ? "" : ", but " + devices.beside())
                + instead(devices);
    }

    private static String instead(Account.Devices devices) {
        return devices.instead().isEmpty() ? "" : "; " + devices.instead();
    }

    /** As {@code 1 free of 8: 7 are in use}. */
    static String counts(NodeDevices there) {
        return counts(there, false);
    }

    private static String counts(NodeDevices there, boolean withoutSelectors) {
        return (there.free() == 0 ? "none" : there.free()) + " free of " + there.devices()
                + (there.lost().isEmpty()
                        ? ""
                        : ": "
                                + there.lost().entrySet().stream()
                                        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                                                .thenComparing(
                                                        lost -> !lost.getKey().equals(NodeDevices.IN_USE)))
                                        .map(lost -> lost(
                                                withoutSelectors
                                                                && lost.getKey().startsWith(SELECTOR)
                                                        ? "a selector"
                                                        : lost.getKey(),
                                                lost.getValue()))
                                        .collect(Collectors.joining(", ")));
    }

    private static String lost(String what, int devices) {
        return devices + (what.equals(NodeDevices.IN_USE) ? devices == 1 ? " is " : " are " : " lost to ") + what;
    }

    private static long counted(Account.Spread spread) {
        return spread.domains().stream().filter(Account.SpreadDomain::counted).count();
    }

    private static String selector(String selector) {
        return selector.isEmpty() ? "all" : selector;
    }
}
