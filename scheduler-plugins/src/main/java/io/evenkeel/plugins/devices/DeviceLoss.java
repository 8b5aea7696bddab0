package io.evenkeel.plugins.devices;

import io.evenkeel.framework.why.Account.NodeDevices;
import io.evenkeel.framework.why.ClaimChange.SelectorDropped;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.devices.Plan.Features;
import io.evenkeel.plugins.devices.Plan.Option;
import io.evenkeel.plugins.devices.Pools.Counters;
import io.evenkeel.plugins.devices.Pools.Layout;
import io.evenkeel.plugins.devices.Pools.Unit;
import io.evenkeel.plugins.devices.Selectors.Selector;
import io.evenkeel.plugins.devices.Selectors.Unanswered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * What keeps a device from a request: what is lasting comes before what others use now.
 *
 * @param what for people
 * @param selector the class's or the request's that does not match; empty for none
 * @param taint that is not tolerated
 * @param rule that gives the taint; empty where the device has it
 */
record DeviceLoss(
        Unit unit,
        Kind kind,
        String what,
        String selector,
        Optional<DeviceTaint> taint,
        Optional<DeviceTaintRule> rule) {

    /** In the order in which they are looked for. */
    enum Kind {
        CLASS,
        NODE,
        SELECTOR,
        TAINT,
        CAPACITY,
        USE,
        COUNTER,
        NONE
    }

    private static DeviceLoss of(Unit unit, Kind kind, String what) {
        return new DeviceLoss(unit, kind, what, "", Optional.empty(), Optional.empty());
    }

    private static DeviceLoss of(Unit unit, Kind kind, String what, Selector selector) {
        return new DeviceLoss(unit, kind, what, selector.expression, Optional.empty(), Optional.empty());
    }

    private static DeviceLoss of(Unit unit, DeviceTaint taint, Optional<DeviceTaintRule> rule) {
        String text = "taint " + taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":"
                + taint.effect()
                + rule.map(one -> " of rule " + one.meta().name()).orElse("");
        return new DeviceLoss(unit, Kind.TAINT, text, "", Optional.of(taint), rule);
    }

    /** @param looks is told how many looks the expressions took */
    static DeviceLoss of(
            Layout layout, int at, Option option, Features features, List<DeviceTaintRule> rules, IntConsumer looks) {
        Unit unit = layout.units[at];
        int ofClass = failing(option.ofClass(), unit, looks);
        if (ofClass >= 0) {
            return of(unit, Kind.CLASS, "the class", option.ofClass().get(ofClass));
        }
        if (!features.bindingConditions() && !unit.device.bindingConditions().isEmpty()) {
            return of(unit, Kind.CLASS, "the class");
        }
        if (layout.away.get(at)) {
            return of(unit, Kind.NODE, "other nodes");
        }
        int own = failing(option.own(), unit, looks);
        if (own >= 0) {
            Selector selector = option.own().get(own);
            return of(unit, Kind.SELECTOR, "selector " + SelectorDropped.brief(selector.expression), selector);
        }
        for (DeviceTaint taint : features.deviceTaints() ? unit.device.taints() : List.<DeviceTaint>of()) {
            if (Search.keepsAway(taint, option)) {
                return of(unit, taint, Optional.empty());
            }
        }
        for (DeviceTaintRule rule : rules) {
            if (Search.taints(rule, unit, features) && Search.keepsAway(rule.taint(), option)) {
                return of(unit, rule.taint(), Optional.of(rule));
            }
        }
        if (!option.wanted().admin() && Search.isTaken(unit, features)) {
            return of(unit, Kind.USE, NodeDevices.IN_USE);
        }
        Map<String, Quantity> wanted = Shares.named(option.wanted().capacity(), unit, features);
        Map<String, Quantity> consumed = Shares.named(unit.holding.consumed, unit, features);
        if (features.consumableCapacity() && !Shares.fits(unit.device, wanted, consumed, null, features)) {
            boolean couldFit = Shares.fits(unit.device, wanted, Map.of(), null, features);
            return of(unit, Kind.CAPACITY, couldFit ? "capacity in use" : "capacity");
        }
        Counters counters = layout.counters[at];
        String counter = counters == null || unit.holding.isHeld() ? "" : counters.shortOf(unit);
        return counter.isEmpty() ? of(unit, Kind.NONE, "") : of(unit, Kind.COUNTER, "counter " + counter + " in use");
    }

    static boolean isOfClass(Unit unit, Option option, IntConsumer looks) {
        return failing(option.ofClass(), unit, looks) < 0;
    }

    /** The first that does not match, or has no answer. */
    private static int failing(List<Selector> selectors, Unit unit, IntConsumer looks) {
        for (int i = 0; i < selectors.size(); i++) {
            try {
                if (!selectors.get(i).matches(unit, looks)) {
                    return i;
                }
            } catch (Unanswered _) {
                return i;
            }
        }
        return -1;
    }
}
