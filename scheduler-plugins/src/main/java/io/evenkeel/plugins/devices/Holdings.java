package io.evenkeel.plugins.devices;

import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.devices.Pools.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Who has which devices: each as a whole, or a share of it. Who has one for administration only keeps no others away. */
final class Holdings {
    private final Map<DeviceId, Holding> holdings = new HashMap<>();
    private final boolean sharing;
    private final Consumer<Holding> changed;

    /**
     * Starts empty.
     *
     * @param sharing whether shares are told from whole devices
     * @param changed is told of each device that others may have from now on, or may not
     */
    Holdings(boolean sharing, Consumer<Holding> changed) {
        this.sharing = sharing;
        this.changed = changed;
    }

    /** Enters the device, so that it knows who has it. */
    Holding publish(DeviceId id, Unit unit) {
        Holding holding = holdings.computeIfAbsent(id, Holding::new);
        holding.units.add(unit);
        return holding;
    }

    void withdraw(Unit unit) {
        unit.holding.units.remove(unit);
        dropIfUnused(unit.holding);
    }

    void add(DeviceAllocation allocation) {
        count(allocation, 1);
    }

    void remove(DeviceAllocation allocation) {
        count(allocation, -1);
    }

    private void count(DeviceAllocation allocation, int sign) {
        for (DeviceAllocation.Result result : allocation.results()) {
            if (result.admin()) {
                continue;
            }
            DeviceId id = new DeviceId(result.driver(), result.pool(), result.device());
            Holding holding = holdings.computeIfAbsent(id, Holding::new);
            if (sharing && !result.shareId().isEmpty()) {
                holding.shares += sign;
                if (!result.consumed().isEmpty()) {
                    holding.measured += sign;
                    result.consumed().forEach((name, amount) -> holding.consume(name, amount, sign));
                }
            } else {
                holding.whole += sign;
            }
            changed.accept(holding);
            dropIfUnused(holding);
        }
    }

    private void dropIfUnused(Holding holding) {
        if (!holding.isHeld() && holding.units.isEmpty()) {
            holdings.remove(holding.id);
        }
    }

    /** The devices that somebody has, a line each. */
    Map<String, String> lines() {
        Map<String, String> lines = new TreeMap<>();
        holdings.values().stream()
                .filter(Holding::isHeld)
                .forEach(holding -> lines.put(
                        holding.id.toString(),
                        holding.whole + " whole, " + holding.shares + " shares of " + new TreeMap<>(holding.consumed)));
        return lines;
    }

    /** The name of a device, whatever slice publishes it. */
    record DeviceId(String driver, String pool, String device) {
        @Override
        public String toString() {
            return driver + "/" + pool + "/" + device;
        }
    }

    /** How a device is had. */
    static final class Holding {
        final DeviceId id;
        final List<Unit> units = new ArrayList<>(1);
        final Map<String, Quantity> consumed = new HashMap<>();
        private int whole;
        private int shares;
        private int measured;
        boolean counted; // its counters are taken

        private Holding(DeviceId id) {
            this.id = id;
        }

        private void consume(String name, Quantity amount, int sign) {
            consumed.compute(name, (_, before) -> {
                Quantity already = before == null ? Quantity.ZERO : before;
                Quantity now = sign > 0 ? already.plus(amount) : already.minus(amount);
                return now.signum() == 0 ? null : now;
            });
        }

        boolean isTaken() {
            return whole > 0;
        }

        boolean isHeld() {
            return whole > 0 || shares > 0;
        }

        /** Whether some of what it has is in use. */
        boolean isConsumed() {
            return measured > 0;
        }
    }
}
