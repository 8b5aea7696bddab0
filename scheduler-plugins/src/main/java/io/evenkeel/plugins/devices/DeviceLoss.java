package io.evenkeel.plugins.devices;

import io.evenkeel.framework.why.Account.NodeDevices;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.plugins.devices.Plan.Features;
import io.evenkeel.plugins.devices.Plan.Option;
import io.evenkeel.plugins.devices.Pools.Counters;
import io.evenkeel.plugins.devices.Pools.Layout;
import io.evenkeel.plugins.devices.Pools.Unit;
import io.evenkeel.plugins.devices.Selectors.Selector;
import io.evenkeel.plugins.devices.Selectors.Unanswered;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * What keeps a device from a request: what is lasting comes before what others use now.
 *
 * @param what for people
 * @param selector the index of the request's selector that does not match; negative for none
 * @param taint that is not tolerated
 */
record DeviceLoss(Unit unit, Kind kind, String what, int selector, Optional<DeviceTaint> taint) {
    private static final int MOST_OF_A_SELECTOR = 70;

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
        return new DeviceLoss(unit, kind, what, -1, Optional.empty());
    }

    /** @param looks is told how many looks the expressions took */
    static DeviceLoss of(
            Layout layout, int at, Option option, Features features, List<DeviceTaintRule> rules, IntConsumer looks) {
        Unit unit = layout.units[at];
        if (failing(option.ofClass(), unit, looks) >= 0
                || (!features.bindingConditions()
                        && !unit.device.bindingConditions().isEmpty())) {
            return of(unit, Kind.CLASS, "the class");
        }
        if (layout.away.get(at)) {
            return of(unit, Kind.NODE, "other nodes");
        }
        int selector = failing(option.own(), unit, looks);
        if (selector >= 0) {
            return new DeviceLoss(
                    unit,
                    Kind.SELECTOR,
                    "selector " + brief(option.own().get(selector).expression),
                    selector,
                    Optional.empty());
        }
        Optional<DeviceTaint> taint = !features.deviceTaints()
                ? Optional.empty()
                : Stream.concat(
                                unit.device.taints().stream(),
                                rules.stream()
                                        .filter(rule -> rule.selects(
                                                unit.holding.id.driver(),
                                                unit.holding.id.pool(),
                                                unit.holding.id.device()))
                                        .map(DeviceTaintRule::taint))
                        .filter(each -> Search.keepsAway(each, option))
                        .findFirst();
        if (taint.isPresent()) {
            return new DeviceLoss(unit, Kind.TAINT, "taint " + text(taint.get()), -1, taint);
        }
        if (!option.wanted().admin() && unit.holding.isTaken()) {
            return of(unit, Kind.USE, NodeDevices.IN_USE);
        }
        if (features.consumableCapacity()
                && !Shares.fits(unit.device, option.wanted().capacity(), unit.holding.consumed, null)) {
            return of(unit, Kind.CAPACITY, unit.holding.isConsumed() ? "capacity in use" : "capacity");
        }
        Counters counters = layout.counters[at];
        String counter = counters == null || unit.holding.isHeld() ? "" : counters.shortOf(unit);
        return counter.isEmpty() ? of(unit, Kind.NONE, "") : of(unit, Kind.COUNTER, "counter " + counter + " in use");
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

    static String brief(String expression) {
        String line = expression.strip().replaceAll("\\s+", " ");
        return line.length() <= MOST_OF_A_SELECTOR ? line : line.substring(0, MOST_OF_A_SELECTOR - 1) + "…";
    }

    private static String text(DeviceTaint taint) {
        return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":" + taint.effect();
    }
}
