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
            @Nullable Map<String, Quantity> planned,
            Features features) {
        Map<String, Capacity> capacities = device.capacity();
        if (!capacities.keySet().containsAll(wanted.keySet())) {
            return false;
        }
        for (Map.Entry<String, Capacity> entry : capacities.entrySet()) {
            String name = entry.getKey();
            Capacity capacity = entry.getValue();
            Quantity amount = amount(capacity, wanted.get(name), features);
            if (isForbidden(amount, capacity.policy(), features)) {
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

    /** Why the device's ranges have no words for what is wanted, which is an error of the pod; empty where they have. */
    static String problem(Device device, Map<String, Quantity> wanted, Features features) {
        if (!device.capacity().keySet().containsAll(wanted.keySet())) {
            return "";
        }
        for (Map.Entry<String, Capacity> entry : device.capacity().entrySet()) {
            Capacity capacity = entry.getValue();
            Quantity asked = wanted.get(entry.getKey());
            Optional<Range> range = capacity.policy().flatMap(Policy::range);
            String problem = asked == null || range.isEmpty()
                    ? ""
                    : Steps.of(range.get(), features).problem(asked);
            if (problem.isEmpty() && amount(capacity, asked, features).signum() < 0) {
                problem = "capacity value is negative";
            }
            if (!problem.isEmpty()) {
                return "capacity \"" + entry.getKey() + "\": " + problem;
            }
        }
        return "";
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
    static Map<String, Quantity> of(Device device, Map<String, Quantity> wanted, Features features) {
        Map<String, Quantity> amounts = new TreeMap<>();
        device.capacity().forEach((name, capacity) -> amounts.put(name, amount(capacity, wanted.get(name), features)));
        return amounts;
    }

    private static Quantity amount(Capacity capacity, @Nullable Quantity wanted, Features features) {
        Optional<Policy> policy = capacity.policy();
        if (wanted == null) {
            return policy.flatMap(Policy::absent).orElse(capacity.value());
        }
        if (policy.isEmpty()) {
            return wanted;
        }
        if (policy.get().range().isPresent()) {
            return Steps.of(policy.get().range().get(), features).atLeast(wanted);
        }
        return policy.get().values().stream()
                .filter(value -> wanted.compareTo(value) <= 0)
                .findFirst()
                .orElse(wanted);
    }

    private static boolean isForbidden(Quantity amount, Optional<Policy> policy, Features features) {
        if (policy.isEmpty() || policy.get().absent().filter(amount::equals).isPresent()) {
            return false;
        }
        Optional<Range> range = policy.get().range();
        if (range.isPresent()) {
            return range.get().max().filter(max -> amount.compareTo(max) > 0).isPresent()
                    || !Steps.of(range.get(), features).have(amount);
        }
        return !policy.get().values().isEmpty() && !policy.get().values().contains(amount);
    }

    /**
     * The amounts of a range, counted in whole units, or in thousandths where it may be and its ends are some.
     *
     * @param size of a step; 0 where any amount from the least on will do
     */
    private record Steps(Quantity least, long size, boolean thousandths) {
        static Steps of(Range range, Features features) {
            Quantity size = range.step().orElse(Quantity.ZERO);
            boolean thousandths = features.fractionalRanges()
                    && size.milliValue() > 0
                    && isInThousandths(size)
                    && isInThousandths(range.min())
                    && isInThousandths(range.max().orElse(Quantity.ZERO));
            return new Steps(range.min(), Math.max(0, thousandths ? size.milliValue() : size.value()), thousandths);
        }

        private static boolean isInThousandths(Quantity amount) {
            return Quantity.ofMilli(amount.milliValue()).equals(amount);
        }

        private long count(Quantity amount) {
            return thousandths ? amount.milliValue() : amount.value();
        }

        /** Steps from the least amount on; an amount that is less needs none. */
        private long steps(Quantity amount) {
            return Math.ceilDiv(count(amount) - count(least), size);
        }

        String problem(Quantity amount) {
            if (size == 0 || amount.compareTo(least) < 0) {
                return "";
            }
            String why = "capacity request cannot be represented in the device's range arithmetic: ";
            if (thousandths && !isInThousandths(amount)) {
                return why + "request " + amount.canonical() + " is not a representable milli value";
            }
            return steps(amount) <= (Long.MAX_VALUE - count(least)) / size
                    ? ""
                    : why + "rounding request " + amount.canonical() + " up to the next step passes "
                            + (thousandths ? "the milli-value range" : "MaxInt64");
        }

        /** The amount, rounded up to the next step. */
        Quantity atLeast(Quantity amount) {
            if (amount.compareTo(least) < 0) {
                return least;
            }
            if (size == 0) {
                return amount;
            }
            long sum = count(least) + size * steps(amount);
            return (thousandths ? Quantity.ofMilli(sum) : Quantity.of(sum)).workedOut();
        }

        boolean have(Quantity amount) {
            return size == 0
                    || ((!thousandths || isInThousandths(amount)) && (count(amount) - count(least)) % size == 0);
        }
    }
}
