package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.Kubelets.Heartbeats;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.controller.WorldOptions.Pace;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.DeleteOptions;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A cluster that lives: an API server, nodes on which bound pods run, and controllers that make pods of Deployments and
 * their relatives, and volumes and devices of claims. Only the scheduler is missing.
 */
public final class HollowWorld implements AutoCloseable {

    private final HollowCluster cluster;
    private final HollowNodes nodes;
    private final HollowDevices devices;
    private final ControlLoop loop;

    private HollowWorld(WorldOptions options, ClusterFiles files, Consumer<String> remark) {
        cluster = HollowCluster.start(options.server());
        Registry registry = cluster.objects().registry();
        nodes = new HollowNodes(registry, options.server().release());
        devices = new HollowDevices(registry);
        try {
            files.fill(cluster.objects(), remark);
            nodes.add(options.nodes(), options.zones(), options.capacity());
            tellLost(Kubelets.lost(registry), remark);
        } catch (RuntimeException refused) {
            cluster.close();
            throw refused;
        }
        loop = started(registry, devices, options);
    }

    private static void tellLost(List<StoredObject> pods, Consumer<String> remark) {
        if (!pods.isEmpty()) {
            String some = pods.stream()
                    .limit(2)
                    .map(pod -> pod.namespace() + "/" + pod.name() + " on " + PodState.node(pod))
                    .collect(Collectors.joining(", "));
            remark.accept(pods.size()
                    + (pods.size() == 1 ? " pod is lost, as its node is" : " pods are lost, as their nodes are")
                    + " in no file: " + some + (pods.size() > 2 ? " and others" : ""));
        }
    }

    private static ControlLoop started(Registry registry, HollowDevices devices, WorldOptions options) {
        ControlLoop loop = new ControlLoop();
        EventRecorder events = new EventRecorder(registry, options.events());
        List<Controller> controllers = controllers(registry, loop, events, options.pace());
        controllers.add(new NodeTaints(registry));
        controllers.add(new Kubelets(registry, loop.observed(), loop, events, options.pace()));
        SampleDriver driver = new SampleDriver(
                registry, loop, devices, options.devices(), options.pace().start());
        driver.begin();
        controllers.add(driver);
        if (options.defaultScheduler()) {
            controllers.add(new FirstFit(registry, events));
        }
        Heartbeats heartbeats = new Heartbeats(registry, loop, options.heartbeats());
        controllers.add(heartbeats);
        loop.start(registry.store(), controllers);
        heartbeats.start();
        return loop;
    }

    /** Those that make pods of workloads and volumes of claims, in the order in which they look at a round's changes: owners first. */
    private static List<Controller> controllers(Registry registry, ControlLoop loop, EventRecorder events, Pace pace) {
        PodFactory pods = new PodFactory(registry, events);
        Observed observed = loop.observed();
        return new ArrayList<>(List.of(
                new GarbageCollector(registry, observed),
                new ServiceAccounts(registry),
                new Deployments(registry, observed, events),
                new ReplicaSets(registry, observed, loop, pods, events),
                new StatefulSets(registry, observed, pods, events),
                new DaemonSets(registry, observed, pods, events),
                new Jobs(registry, observed, loop, pods, events, pace.jobRest()),
                new ResourceQuotas(registry, loop),
                new DisruptionBudgets(registry),
                new EphemeralClaims(registry, events),
                new DeviceClaims(registry, observed, events),
                new DeviceEvictions(registry, loop, events),
                new PersistentVolumes(registry, events),
                new Provisioner(registry, loop, events)));
    }

    /** Starts the server, the nodes and the controllers. */
    public static HollowWorld start(WorldOptions options) {
        return start(options, ClusterFiles.read(List.of()), _ -> {});
    }

    /**
     * Starts them with the objects of files; an IllegalArgumentException says in a line which cannot be, and why.
     *
     * @param remark is told in a line what does not become as in the files
     */
    public static HollowWorld start(WorldOptions options, ClusterFiles files, Consumer<String> remark) {
        return new HollowWorld(options, files, remark);
    }

    public HollowCluster cluster() {
        return cluster;
    }

    public HollowNodes nodes() {
        return nodes;
    }

    public HollowDevices devices() {
        return devices;
    }

    public HollowObjects objects() {
        return cluster.objects();
    }

    /**
     * Waits until nodes and controllers have nothing left to do, heartbeats aside. What others do meanwhile, such as a
     * scheduler, may give them more.
     */
    public void settle() throws InterruptedException {
        loop.settle();
    }

    @Override
    public void close() {
        loop.close();
        cluster.close();
    }

    /**
     * The controllers without the kubelets, for a cluster that runs its nodes otherwise: they make pods of StatefulSets and volumes
     * of claims, but no pod runs.
     */
    public static final class HollowControllers implements AutoCloseable {
        private final ControlLoop loop = new ControlLoop();
        private final Provisioner provisioner;

        private HollowControllers(HollowCluster cluster) {
            Registry registry = cluster.objects().registry();
            List<Controller> all = controllers(registry, loop, new EventRecorder(registry, false), Pace.AT_ONCE);
            provisioner = (Provisioner) all.getLast();
            loop.start(registry.store(), all);
        }

        /** Starts them for the cluster, until they are closed. */
        public static HollowControllers start(HollowCluster cluster) {
            return new HollowControllers(cluster);
        }

        /** Has no volume made until {@link #letVolumesOn}. */
        public void holdVolumes() {
            provisioner.hold();
        }

        public void letVolumesOn() {
            provisioner.letOn();
        }

        @Override
        public void close() {
            loop.close();
        }
    }

    /** The nodes of a hollow cluster. */
    public static final class HollowNodes {
        private static final String[][] CONDITIONS = {
            {"MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"},
            {"DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"},
            {"PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"},
            {"Ready", "True", "KubeletReady", "kubelet is posting ready status"},
        };

        private final Registry registry;
        private final String release;
        private final AtomicInteger added = new AtomicInteger();

        /** @param release of Kubernetes that their kubelets say they are */
        public HollowNodes(Registry registry, String release) {
            this.registry = registry;
            this.release = release;
        }

        /** Adds a node that is ready at once. */
        public void add(String name, String zone, Capacity capacity) {
            registry.create(
                    ResourceTable.NODES,
                    "",
                    tree(
                            name,
                            zone,
                            capacity,
                            added.getAndIncrement(),
                            registry.times().now()),
                    false);
        }

        /** Adds {@code node-0}, {@code node-1} and so on, but none that is there, in turn to {@code zone-0}, {@code zone-1} and so on. */
        public void add(int nodes, int zones, Capacity capacity) {
            for (int i = 0; i < nodes; i++) {
                int number = added.get();
                while (registry.find(ResourceTable.NODES, "", "node-" + number).isPresent()) {
                    number = added.incrementAndGet();
                }
                add("node-" + number, "zone-" + number % zones, capacity);
            }
        }

        /** Takes a node away; its pods are lost. */
        public void remove(String name) {
            registry.delete(ResourceTable.NODES, "", name, DeleteOptions.DEFAULT);
        }

        /** A node as its kubelet would register it. */
        private JsonObject tree(String name, String zone, Capacity capacity, int number, String now) {
            JsonObject labels = Trees.of(
                    Node.HOSTNAME,
                    name,
                    "kubernetes.io/os",
                    "linux",
                    "kubernetes.io/arch",
                    "amd64",
                    "node.kubernetes.io/instance-type",
                    "hollow",
                    "topology.kubernetes.io/region",
                    "hollow",
                    "topology.kubernetes.io/zone",
                    zone);
            JsonObject resources = Trees.of(
                    "cpu", capacity.cpu(),
                    "ephemeral-storage", capacity.ephemeralStorage(),
                    "memory", capacity.memory(),
                    "pods", Integer.toString(capacity.pods()));
            JsonObject info = Trees.of(
                    "kernelVersion", "0.0.0-hollow",
                    "osImage", "hollow",
                    "containerRuntimeVersion", "hollow://0.0.0",
                    "kubeletVersion", "v" + release + ".0",
                    "operatingSystem", "linux",
                    "architecture", "amd64");
            JsonObject image = Trees.of("names", List.of("registry.k8s.io/pause:3.10"), "sizeBytes", 736_868);
            JsonObject status = Trees.of("capacity", resources, "allocatable", resources.deepCopy());
            status.add("conditions", conditions(now));
            status.add("addresses", addresses(name, number));
            status.add("nodeInfo", info);
            Trees.ensureArray(status, "images").add(image);
            return Trees.of(
                    "metadata", Trees.of("name", name, "labels", labels),
                    "spec", Trees.of("podCIDR", PodNetwork.cidr(number), "providerID", "hollow://" + name),
                    "status", status);
        }

        static JsonArray conditions(String now) {
            JsonArray conditions = new JsonArray();
            for (String[] each : CONDITIONS) {
                conditions.add(Trees.of(
                        "type", each[0],
                        "status", each[1],
                        "lastHeartbeatTime", now,
                        "lastTransitionTime", now,
                        "reason", each[2],
                        "message", each[3]));
            }
            return conditions;
        }

        private static JsonArray addresses(String name, int number) {
            JsonArray addresses = new JsonArray();
            addresses.add(Trees.of("type", "InternalIP", "address", PodNetwork.nodeAddress(number)));
            addresses.add(Trees.of("type", "Hostname", "address", name));
            return addresses;
        }

        /** Addresses that look real: 256 to a node, for up to 65,536 nodes. */
        static final class PodNetwork {

            private static final int BYTE = 256;

            private PodNetwork() {}

            static String nodeAddress(int node) {
                return "172.16.%d.%d".formatted(node / BYTE % BYTE, node % BYTE);
            }

            static String cidr(int node) {
                return "10.%d.%d.0/24".formatted(node / BYTE % BYTE, node % BYTE);
            }

            /** The address of the n-th pod of a node. */
            static String podAddress(StoredObject node, int pod) {
                String cidr = Trees.text(node.tree(), "spec", "podCIDR");
                String network = cidr.isEmpty() ? "10.0.0" : cidr.substring(0, cidr.lastIndexOf('.'));
                return network + "." + (pod % (BYTE - 2) + 1);
            }
        }
    }
}
