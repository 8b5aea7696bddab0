package io.evenkeel.tools.why;

import io.evenkeel.framework.why.Account;

/** Prints a plugin's counts for a rule, in a line. */
final class AccountText {
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
            case Account.Words(var text) -> text;
            case Account.Mistake(var text, var _) -> text;
        };
    }

    private static long counted(Account.Spread spread) {
        return spread.domains().stream().filter(Account.SpreadDomain::counted).count();
    }

    private static String selector(String selector) {
        return selector.isEmpty() ? "all" : selector;
    }
}
