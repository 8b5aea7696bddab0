package io.evenkeel.plugins.devices;

import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.Device.Capacity;
import io.evenkeel.model.device.Device.Policy;
import io.evenkeel.model.device.Device.Range;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.devices.Plan.Features;
import io.evenkeel.plugins.devices.Pools.Unit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How much of a device's capacity a request gets, by the device's policies: at least what it asks for, rounded up. */
final class Shares {
    private Shares() {}

    /**
     * Whether the device has as much left. One that is not shared has to have it in all.
     *
     * @param consumed what claims have of it
     * @param planned what others of the claims would have that are looked at together
     */
    static boolean fits(
            Device device,
            Map<String, Quantity> wanted,
            Map<String, Quantity> consumed,
            @Nullable Map<String, Quantity> planned) {
        Map<String, Capacity> capacities = device.capacity();
        if (!capacities.keySet().containsAll(wanted.keySet())) {
            return false;
        }
        for (Map.Entry<String, Capacity> entry : capacities.entrySet()) {
            String name = entry.getKey();
            Capacity capacity = entry.getValue();
            Quantity amount = amount(capacity, wanted.get(name));
            if (isForbidden(amount, capacity.policy())) {
                return false;
            }
            Quantity sum = amount.plus(consumed.getOrDefault(name, Quantity.ZERO));
            if (planned != null) {
                sum = sum.plus(planned.getOrDefault(name, Quantity.ZERO));
            }
            if (sum.compareTo(capacity.value()) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Amounts by the names under which the device publishes them: with the driver before it, or without. */
    static Map<String, Quantity> named(Map<String, Quantity> amounts, Unit unit, Features features) {
        Map<String, Capacity> published = unit.device.capacity();
        if (!features.repairs().capacityByFullName() || published.keySet().containsAll(amounts.keySet())) {
            return amounts;
        }
        String driver = unit.holding.id.driver() + "/";
        Map<String, Quantity> named = new TreeMap<>();
        amounts.forEach((name, amount) -> {
            String other = name.startsWith(driver) ? name.substring(driver.length()) : driver + name;
            named.put(published.containsKey(name) || !published.containsKey(other) ? name : other, amount);
        });
        return named;
    }

    /** What the request gets of each capacity. */
    static Map<String, Quantity> of(Device device, Map<String, Quantity> wanted) {
        Map<String, Quantity> amounts = new TreeMap<>();
        device.capacity().forEach((name, capacity) -> amounts.put(name, amount(capacity, wanted.get(name))));
        return amounts;
    }

    private static Quantity amount(Capacity capacity, @Nullable Quantity wanted) {
        Optional<Policy> policy = capacity.policy();
        if (wanted == null) {
            return policy.flatMap(Policy::absent).orElse(capacity.value());
        }
        if (policy.isEmpty()) {
            return wanted;
        }
        if (policy.get().range().isPresent()) {
            return inRange(policy.get().range().get(), wanted);
        }
        return policy.get().values().stream()
                .filter(value -> wanted.compareTo(value) <= 0)
                .findFirst()
                .orElse(wanted);
    }

    private static Quantity inRange(Range range, Quantity wanted) {
        if (wanted.compareTo(range.min()) < 0) {
            return range.min();
        }
        long step = range.step().map(Quantity::value).orElse(0L);
        if (step <= 0) {
            return wanted;
        }
        long min = range.min().value();
        return Quantity.of(min + step * Math.ceilDiv(wanted.value() - min, step))
                .workedOut();
    }

    private static boolean isForbidden(Quantity amount, Optional<Policy> policy) {
        if (policy.isEmpty() || policy.get().absent().filter(amount::equals).isPresent()) {
            return false;
        }
        Optional<Range> range = policy.get().range();
        if (range.isPresent()) {
            long step = range.get().step().map(Quantity::value).orElse(0L);
            return range.get().max().filter(max -> amount.compareTo(max) > 0).isPresent()
                    || (step > 0 && (amount.value() - range.get().min().value()) % step != 0);
        }
        return !policy.get().values().isEmpty() && !policy.get().values().contains(amount);
    }
}
