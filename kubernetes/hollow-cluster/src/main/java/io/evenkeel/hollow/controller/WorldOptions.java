package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.model.value.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The make-up of a world.
 *
 * @param server how the API server behaves
 * @param nodes how many nodes there are at first, in turn in each of the zones
 * @param pace how long pods take to start and to end
 * @param heartbeats how often nodes say that they live
 * @param defaultScheduler whether a stand-in places the pods of {@code default-scheduler}
 * @param events whether controllers and kubelets write Events
 * @param devices what sample drivers publish
 */
public record WorldOptions(
        HollowOptions server,
        int nodes,
        int zones,
        Capacity capacity,
        Pace pace,
        Heartbeats heartbeats,
        boolean defaultScheduler,
        boolean events,
        Devices devices) {

    /** For tests: plain HTTP, no nodes yet, everything happens at once. */
    public static final WorldOptions DEFAULT = new WorldOptions(
            HollowOptions.DEFAULT.plainHttp(),
            0,
            1,
            Capacity.DEFAULT,
            Pace.AT_ONCE,
            Heartbeats.NONE,
            false,
            false,
            Devices.NONE);

    public WorldOptions withServer(HollowOptions other) {
        return new WorldOptions(other, nodes, zones, capacity, pace, heartbeats, defaultScheduler, events, devices);
    }

    public WorldOptions withNodes(int count, int inZones, Capacity each) {
        return new WorldOptions(server, count, inZones, each, pace, heartbeats, defaultScheduler, events, devices);
    }

    public WorldOptions atPace(Pace other) {
        return new WorldOptions(server, nodes, zones, capacity, other, heartbeats, defaultScheduler, events, devices);
    }

    public WorldOptions withHeartbeats(Heartbeats often) {
        return new WorldOptions(server, nodes, zones, capacity, pace, often, defaultScheduler, events, devices);
    }

    public WorldOptions withDefaultScheduler(boolean placed) {
        return new WorldOptions(server, nodes, zones, capacity, pace, heartbeats, placed, events, devices);
    }

    public WorldOptions withEvents(boolean written) {
        return new WorldOptions(server, nodes, zones, capacity, pace, heartbeats, defaultScheduler, written, devices);
    }

    public WorldOptions withDevices(Devices other) {
        return new WorldOptions(server, nodes, zones, capacity, pace, heartbeats, defaultScheduler, events, other);
    }

    /**
     * How often each node says that it lives.
     *
     * @param lease by its Lease; zero for never
     * @param status by a status in which nothing but that time is new, up to 4 % later; zero for never
     */
    public record Heartbeats(Duration lease, Duration status) {
        public static final Heartbeats NONE = new Heartbeats(Duration.ZERO, Duration.ZERO);

        /** As those of kubelets that are not told otherwise. */
        public static final Heartbeats USUAL = new Heartbeats(Duration.ofSeconds(10), Duration.ofMinutes(5));

        public Heartbeats withStatus(Duration often) {
            return new Heartbeats(lease, often);
        }
    }

    /**
     * The devices that sample drivers publish: those of the fabric once, all others for each node.
     *
     * @param partitionable GPUs that can be had in halves and quarters, too
     * @param nics network cards with a bandwidth to share
     * @param fabric accelerators that any node reaches, and that must be attached to it first
     */
    public record Devices(int gpus, int partitionable, int nics, int fabric) {
        public static final Devices NONE = new Devices(0, 0, 0, 0);

        static final String GPU = "gpu.example.com";
        static final String PARTITION = "partition.example.com";
        static final String NIC = "nic.example.com";
        static final String FABRIC = "fabric.example.com";

        /** The names of the drivers that have devices, and of their classes. */
        List<String> drivers() {
            List<String> drivers = new ArrayList<>();
            add(drivers, GPU, gpus);
            add(drivers, PARTITION, partitionable);
            add(drivers, NIC, nics);
            add(drivers, FABRIC, fabric);
            return drivers;
        }

        private static void add(List<String> drivers, String driver, int devices) {
            if (devices > 0) {
                drivers.add(driver);
            }
        }
    }

    /**
     * How long things take; zero for at once.
     *
     * @param start from a pod's binding until it runs
     * @param longestGrace from a pod's deletion until it is gone
     * @param jobRun until a Job's pod has done its work, where it does not say itself
     * @param jobRest until a Job makes another pod after the first that failed
     */
    public record Pace(Duration start, Duration longestGrace, Duration jobRun, Duration jobRest) {
        public static final Pace AT_ONCE = new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

        private static final Pattern TIME = Pattern.compile("([0-9]{1,6})(ms|s|m|h)");

        /** A time as parameters and annotations say it, such as {@code 500ms} or {@code 2s}. */
        static Optional<Duration> parse(String text) {
            return Optional.of(TIME.matcher(text)).filter(Matcher::matches).map(time -> {
                long amount = Long.parseLong(time.group(1));
                return switch (time.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                };
            });
        }
    }

    /** The capacity of a node, as quantities such as {@code 8} and {@code 32Gi}. */
    public record Capacity(String cpu, String memory, int pods, String ephemeralStorage) {

        public static final Capacity DEFAULT = of("8", "32Gi", 110);

        public Capacity {
            check("cpu", cpu);
            check("memory", memory);
            check("ephemeral-storage", ephemeralStorage);
            if (pods < 1) {
                throw new IllegalArgumentException("pods must be at least 1, got " + pods);
            }
        }

        public static Capacity of(String cpu, String memory, int pods) {
            return new Capacity(cpu, memory, pods, "100Gi");
        }

        private static void check(String resource, String quantity) {
            boolean positive;
            try {
                positive = Quantity.parse(quantity).signum() > 0;
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "%s must be a quantity such as 8, 500m or 32Gi, got %s".formatted(resource, quantity), e);
            }
            if (!positive) {
                throw new IllegalArgumentException("%s must be more than 0, got %s".formatted(resource, quantity));
            }
        }
    }
}
