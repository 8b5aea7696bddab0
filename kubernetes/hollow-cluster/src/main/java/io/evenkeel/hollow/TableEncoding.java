package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.hollow.registry.Conditions;
import io.evenkeel.hollow.registry.EventConversion;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Objects as rows of a {@code meta.k8s.io/v1 Table}. A body is a row; whatever is sent, an object, a list or an event, is a
 * table of its rows.
 *
 * @param included what comes with a row: {@code Metadata}, {@code Object} or {@code None}
 */
record TableEncoding(InstantSource clock, String included) implements Encoding {

    private static final TypeMeta TABLE = new TypeMeta("meta.k8s.io/v1", "Table");
    private static final String DEFAULT = "Metadata";
    private static final JsonEncoding JSON = new JsonEncoding();

    TableEncoding(InstantSource clock) {
        this(clock, DEFAULT);
    }

    @Override
    public String mediaType() {
        return JSON.mediaType();
    }

    @Override
    public String watchContentType() {
        return JSON.watchContentType();
    }

    @Override
    public String view() {
        return TABLE.kind();
    }

    @Override
    public boolean keepsBodies() {
        return false; // ages
    }

    @Override
    public Encoding including(String what) {
        return what.isEmpty() || what.equals(included) ? this : new TableEncoding(clock, what);
    }

    @Override
    public boolean supports(TypeMeta type) {
        return ResourceTable.ofKind(type.apiVersion(), kindOf(type))
                .filter(ResourceType::stored)
                .isPresent();
    }

    @Override
    public byte[] body(TypeMeta type, JsonObject tree) {
        JsonArray cells = new JsonArray();
        // a bookmark is an object without a name, and a table without rows
        if (!Trees.text(tree, "metadata", "name").isEmpty()) {
            Columns.Row shown = new Columns.Row(stored(type, tree), clock.instant());
            Columns.of(type.kind()).forEach(column -> cells.add(column.cell().apply(shown)));
        }
        JsonObject row = Trees.of("cells", cells);
        switch (included) {
            case "None" -> {}
            case "Object" -> row.add("object", typed(type, tree, true));
            default -> row.add("object", typed(new TypeMeta(TABLE.apiVersion(), "PartialObjectMetadata"), tree, false));
        }
        return row.toString().getBytes(UTF_8);
    }

    @Override
    public byte[] object(TypeMeta type, byte[] body) {
        JsonObject row = Trees.parse(new String(body, UTF_8));
        JsonArray rows = new JsonArray();
        if (!row.getAsJsonArray("cells").isEmpty()) {
            rows.add(row);
        }
        String version = Trees.text(row, "object", "metadata", "resourceVersion");
        return table(type, new ListMeta(version, "", -1), rows).toString().getBytes(UTF_8);
    }

    @Override
    public void list(OutputStream out, TypeMeta listType, ListMeta meta, List<byte[]> bodies) throws IOException {
        String empty = table(listType, meta, new JsonArray()).toString();
        out.write(empty.substring(0, empty.length() - "]}".length()).getBytes(UTF_8));
        JsonEncoding.endList(out, bodies);
    }

    @Override
    public byte[] event(String eventType, byte[] object) {
        return JSON.event(eventType, object);
    }

    private static JsonObject table(TypeMeta type, ListMeta meta, JsonArray rows) {
        JsonArray columns = new JsonArray();
        Columns.of(kindOf(type)).forEach(column -> columns.add(column.definition()));
        return Trees.of(
                "kind", TABLE.kind(),
                "apiVersion", TABLE.apiVersion(),
                "metadata", meta.json(),
                "columnDefinitions", columns,
                "rows", rows);
    }

    private static JsonObject typed(TypeMeta type, JsonObject tree, boolean whole) {
        JsonObject object = Trees.of("kind", type.kind(), "apiVersion", type.apiVersion());
        tree.entrySet().stream()
                .filter(member -> whole || member.getKey().equals("metadata"))
                .forEach(member -> object.add(member.getKey(), member.getValue()));
        return object;
    }

    /** Cells are of the form that is the same for all versions. */
    private static JsonObject stored(TypeMeta type, JsonObject tree) {
        return ResourceTable.ofKind(type.apiVersion(), type.kind())
                .map(resource -> EventConversion.toStored(resource, tree))
                .orElse(tree);
    }

    private static String kindOf(TypeMeta type) {
        String kind = type.kind();
        return kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : kind;
    }

    /** The columns of each kind; a name and an age for kinds not named here. */
    private static final class Columns {

        private static final List<Column> OTHERS = List.of(Column.NAME, Column.AGE);
        private static final Map<String, List<Column>> BY_KIND = Map.of(
                "Pod", PodCells.COLUMNS,
                "Node", NodeCells.COLUMNS,
                "Deployment",
                        List.of(
                                Column.NAME,
                                Column.text("Ready", Columns::readyOfWanted),
                                Column.number("Up-to-date", "status", "updatedReplicas"),
                                Column.number("Available", "status", "availableReplicas"),
                                Column.AGE,
                                Column.wide("Containers", row -> row.ofContainers("name")),
                                Column.wide("Images", row -> row.ofContainers("image")),
                                Column.wide("Selector", row -> row.labels("spec", "selector", "matchLabels"))),
                "ReplicaSet",
                        List.of(
                                Column.NAME,
                                Column.number("Desired", "spec", "replicas"),
                                Column.number("Current", "status", "replicas"),
                                Column.number("Ready", "status", "readyReplicas"),
                                Column.AGE,
                                Column.wide("Containers", row -> row.ofContainers("name")),
                                Column.wide("Images", row -> row.ofContainers("image")),
                                Column.wide("Selector", row -> row.labels("spec", "selector", "matchLabels"))),
                "StatefulSet",
                        List.of(
                                Column.NAME,
                                Column.text("Ready", Columns::readyOfWanted),
                                Column.AGE,
                                Column.wide("Containers", row -> row.ofContainers("name")),
                                Column.wide("Images", row -> row.ofContainers("image"))),
                "Service",
                        List.of(
                                Column.NAME,
                                Column.text("Type", row -> row.textOr("ClusterIP", "spec", "type")),
                                Column.text("Cluster-IP", row -> row.textOr("<none>", "spec", "clusterIP")),
                                Column.text("External-IP", _ -> "<none>"),
                                Column.text("Port(s)", Columns::ports),
                                Column.AGE,
                                Column.wide("Selector", row -> row.labels("spec", "selector"))),
                "Namespace", List.of(Column.NAME, Column.text("Status", "status", "phase"), Column.AGE),
                "Event", EventCells.COLUMNS,
                "Lease", List.of(Column.NAME, Column.text("Holder", "spec", "holderIdentity"), Column.AGE),
                "PriorityClass",
                        List.of(
                                Column.NAME,
                                Column.number("Value", "value"),
                                Column.text("Global-Default", row -> row.textOr("false", "globalDefault")),
                                Column.AGE,
                                Column.text("PreemptionPolicy", "preemptionPolicy")));
        private static final List<Column> BUDGET = List.of(
                Column.NAME,
                Column.text("Min Available", row -> row.textOr("N/A", "spec", "minAvailable")),
                Column.text("Max Unavailable", row -> row.textOr("N/A", "spec", "maxUnavailable")),
                Column.number("Allowed Disruptions", "status", "disruptionsAllowed"),
                Column.AGE);
        private static final Map<String, List<Column>> ALL = Stream.of(
                        BY_KIND,
                        BatchColumns.BY_KIND,
                        PolicyColumns.BY_KIND,
                        Map.of("PodDisruptionBudget", BUDGET),
                        StorageColumns.BY_KIND,
                        DeviceColumns.BY_KIND,
                        ConfigurationColumns.BY_KIND)
                .flatMap(columns -> columns.entrySet().stream())
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

        private Columns() {}

        static List<Column> of(String kind) {
            return ALL.getOrDefault(kind, OTHERS);
        }

        private static String readyOfWanted(Row row) {
            return row.count("status", "readyReplicas") + "/" + row.count("spec", "replicas");
        }

        private static String ports(Row row) {
            String ports = Trees.objects(row.tree(), "spec", "ports").stream()
                    .map(port -> Trees.text(port, "port") + "/"
                            + (Trees.text(port, "protocol").isEmpty() ? "TCP" : Trees.text(port, "protocol")))
                    .collect(Collectors.joining(","));
            return ports.isEmpty() ? "<none>" : ports;
        }

        /** Columns of what runs once a node or until it is done, and of what limits it. */
        private static final class BatchColumns {
            private static final List<Column> OF_TEMPLATE = List.of(
                    Column.wide("Containers", row -> row.ofContainers("name")),
                    Column.wide("Images", row -> row.ofContainers("image")),
                    Column.wide("Selector", row -> row.labels("spec", "selector", "matchLabels")));
            static final Map<String, List<Column>> BY_KIND = Map.of(
                    "DaemonSet",
                            ofTemplate(
                                    Column.NAME,
                                    Column.number("Desired", "status", "desiredNumberScheduled"),
                                    Column.number("Current", "status", "currentNumberScheduled"),
                                    Column.number("Ready", "status", "numberReady"),
                                    Column.number("Up-to-date", "status", "updatedNumberScheduled"),
                                    Column.number("Available", "status", "numberAvailable"),
                                    Column.text(
                                            "Node Selector",
                                            row -> row.labels("spec", "template", "spec", "nodeSelector")),
                                    Column.AGE),
                    "Job",
                            ofTemplate(
                                    Column.NAME,
                                    Column.text("Status", BatchColumns::status),
                                    Column.text("Completions", BatchColumns::completions),
                                    Column.text("Duration", BatchColumns::duration),
                                    Column.AGE),
                    "CronJob",
                            List.of(
                                    Column.NAME,
                                    Column.text("Schedule", "spec", "schedule"),
                                    Column.text("Timezone", row -> row.textOr("<none>", "spec", "timeZone")),
                                    Column.text(
                                            "Suspend",
                                            row -> Trees.isTrue(row.tree(), "spec", "suspend") ? "True" : "False"),
                                    Column.number("Active", row -> (long) Trees.objects(row.tree(), "status", "active")
                                            .size()),
                                    Column.text("Last Schedule", BatchColumns::lastSchedule),
                                    Column.AGE),
                    "ResourceQuota",
                            List.of(
                                    Column.NAME,
                                    Column.text("Request", row -> usage(row, false)),
                                    Column.text("Limit", row -> usage(row, true)),
                                    Column.AGE));

            private BatchColumns() {}

            private static List<Column> ofTemplate(Column... own) {
                return Stream.concat(Stream.of(own), OF_TEMPLATE.stream()).toList();
            }

            private static String status(Row job) {
                if (Conditions.holds(job.tree(), "Complete")) {
                    return "Complete";
                }
                if (Conditions.holds(job.tree(), "Failed")) {
                    return "Failed";
                }
                return Trees.isTrue(job.tree(), "spec", "suspend") ? "Suspended" : "Running";
            }

            private static String completions(Row job) {
                long parallelism = job.count("spec", "parallelism");
                return job.count("status", "succeeded") + "/"
                        + Trees.number(job.tree(), "spec", "completions")
                                .map(Object::toString)
                                .orElse(parallelism > 1 ? "1 of " + parallelism : "1");
            }

            private static String duration(Row job) {
                String end = Trees.text(job.tree(), "status", "completionTime");
                Row then = end.isEmpty() ? job : new Row(job.tree(), Instant.parse(end));
                return Trees.text(job.tree(), "status", "startTime").isEmpty() ? "" : then.since("status", "startTime");
            }

            private static String lastSchedule(Row cronJob) {
                String time = Trees.text(cronJob.tree(), "status", "lastScheduleTime");
                return time.isEmpty() ? "<none>" : cronJob.since("status", "lastScheduleTime");
            }

            /** Used and hard amounts, of limits or of all else. */
            private static String usage(Row quota, boolean ofLimits) {
                return Trees.object(quota.tree(), "status", "hard").map(JsonObject::keySet).stream()
                        .flatMap(names -> names.stream().sorted())
                        .filter(name -> name.startsWith("limits.") == ofLimits)
                        .map(name -> name + ": " + Trees.text(quota.tree(), "status", "used", name) + "/"
                                + Trees.text(quota.tree(), "status", "hard", name))
                        .collect(Collectors.joining(", "));
            }
        }

        /** Columns of devices and claims of them. */
        private static final class DeviceColumns {
            static final Map<String, List<Column>> BY_KIND = Map.of(
                    "ResourceClaim", List.of(Column.NAME, Column.text("State", DeviceColumns::state), Column.AGE),
                    "ResourceSlice",
                            List.of(
                                    Column.NAME,
                                    Column.text("Node", "spec", "nodeName"),
                                    Column.text("Driver", "spec", "driver"),
                                    Column.text("Pool", "spec", "pool", "name"),
                                    Column.AGE));

            private DeviceColumns() {}

            /** The steps that a claim has taken, in their order. */
            private static String state(Row claim) {
                boolean isGoing =
                        Trees.at(claim.tree(), "metadata", "deletionTimestamp").isPresent();
                boolean isAllocated =
                        Trees.object(claim.tree(), "status", "allocation").isPresent();
                boolean isReserved = isAllocated
                        && !Trees.objects(claim.tree(), "status", "reservedFor").isEmpty();
                return Stream.of(
                                isGoing ? "deleted" : "",
                                isAllocated ? "allocated" : isGoing ? "" : "pending",
                                isReserved ? "reserved" : "")
                        .filter(step -> !step.isEmpty())
                        .collect(Collectors.joining(","));
            }
        }

        /** Columns of configuration: data and rules. */
        private static final class ConfigurationColumns {
            private static final List<Column> BINDING = List.of(
                    Column.NAME,
                    Column.text(
                            "Role",
                            row -> Trees.text(row.tree(), "roleRef", "kind") + "/"
                                    + Trees.text(row.tree(), "roleRef", "name")),
                    Column.AGE,
                    Column.wide("Users", row -> subjects(row, "User")),
                    Column.wide("Groups", row -> subjects(row, "Group")),
                    Column.wide("ServiceAccounts", row -> subjects(row, "ServiceAccount")));
            private static final List<Column> ROLE =
                    List.of(Column.NAME, Column.text("Created At", "metadata", "creationTimestamp"));

            static final Map<String, List<Column>> BY_KIND = Map.of(
                    "ConfigMap",
                            List.of(
                                    Column.NAME,
                                    Column.text("Data", row -> entries(row, "data", "binaryData")),
                                    Column.AGE),
                    "Secret",
                            List.of(
                                    Column.NAME,
                                    Column.text("Type", "type"),
                                    Column.text("Data", row -> entries(row, "data")),
                                    Column.AGE),
                    "Role", ROLE,
                    "ClusterRole", ROLE,
                    "RoleBinding", BINDING,
                    "ClusterRoleBinding", BINDING);

            private ConfigurationColumns() {}

            private static String entries(Row row, String... maps) {
                return Integer.toString(Stream.of(maps)
                        .flatMap(map -> Trees.object(row.tree(), map).stream())
                        .mapToInt(JsonObject::size)
                        .sum());
            }

            private static String subjects(Row row, String kind) {
                return Trees.objects(row.tree(), "subjects").stream()
                        .filter(subject -> Trees.text(subject, "kind").equals(kind))
                        .map(subject -> {
                            String namespace = Trees.text(subject, "namespace");
                            return (namespace.isEmpty() ? "" : namespace + "/") + Trees.text(subject, "name");
                        })
                        .collect(Collectors.joining(", "));
            }
        }

        /** Cells of an event's row, by its stored form. */
        private static final class EventCells {

            static final List<Column> COLUMNS = List.of(
                    Column.text("Last Seen", EventCells::lastSeen),
                    Column.text("Type", "type"),
                    Column.text("Reason", "reason"),
                    Column.text("Object", EventCells::object),
                    Column.wide("Subobject", row -> row.textOr("", "involvedObject", "fieldPath")),
                    Column.wide(
                            "Source",
                            row -> row.textOr(Trees.text(row.tree(), "reportingComponent"), "source", "component")),
                    Column.text(
                            "Message", row -> Trees.text(row.tree(), "message").strip()),
                    Column.wide("First Seen", EventCells::firstSeen),
                    Column.wide(
                            "Count",
                            row -> Long.toString(
                                    Math.max(row.count("series", "count"), Math.max(row.count("count"), 1)))),
                    Column.wide("Name", row -> row.textOr("", "metadata", "name")));

            private EventCells() {}

            private static String object(Row row) {
                return Trees.text(row.tree(), "involvedObject", "kind").toLowerCase(Locale.ROOT) + "/"
                        + Trees.text(row.tree(), "involvedObject", "name");
            }

            private static String lastSeen(Row row) {
                if (Trees.at(row.tree(), "series", "lastObservedTime").isPresent()) {
                    return row.since("series", "lastObservedTime");
                }
                return Trees.text(row.tree(), "lastTimestamp").isEmpty() ? firstSeen(row) : row.since("lastTimestamp");
            }

            private static String firstSeen(Row row) {
                return Trees.text(row.tree(), "firstTimestamp").isEmpty()
                        ? row.since("eventTime")
                        : row.since("firstTimestamp");
            }
        }

        private static final class NodeCells {

            private static final String ROLE = "node-role.kubernetes.io/";

            static final List<Column> COLUMNS = List.of(
                    Column.NAME,
                    Column.text("Status", NodeCells::status),
                    Column.text("Roles", NodeCells::roles),
                    Column.AGE,
                    Column.text("Version", "status", "nodeInfo", "kubeletVersion"),
                    Column.wide("Internal-IP", row -> address(row, "InternalIP")),
                    Column.wide("External-IP", row -> address(row, "ExternalIP")),
                    Column.wide("OS-Image", row -> row.textOr("<unknown>", "status", "nodeInfo", "osImage")),
                    Column.wide(
                            "Kernel-Version", row -> row.textOr("<unknown>", "status", "nodeInfo", "kernelVersion")),
                    Column.wide(
                            "Container-Runtime",
                            row -> row.textOr("<unknown>", "status", "nodeInfo", "containerRuntimeVersion")));

            private NodeCells() {}

            private static String status(Row row) {
                Optional<String> ready = Conditions.status(row.tree(), "Ready");
                String shown = ready.map(status -> status.equals("True") ? "Ready" : "NotReady")
                        .orElse("Unknown");
                return Trees.isTrue(row.tree(), "spec", "unschedulable") ? shown + ",SchedulingDisabled" : shown;
            }

            private static String roles(Row row) {
                String roles = Trees.object(row.tree(), "metadata", "labels").map(JsonObject::keySet).stream()
                        .flatMap(keys -> keys.stream())
                        .filter(key -> key.startsWith(ROLE))
                        .map(key -> key.substring(ROLE.length()))
                        .sorted()
                        .collect(Collectors.joining(","));
                return roles.isEmpty() ? "<none>" : roles;
            }

            private static String address(Row row, String type) {
                return Trees.objects(row.tree(), "status", "addresses").stream()
                        .filter(each -> Trees.text(each, "type").equals(type))
                        .map(each -> Trees.text(each, "address"))
                        .findFirst()
                        .orElse("<none>");
            }
        }

        private static final class PodCells {

            static final List<Column> COLUMNS = List.of(
                    Column.NAME,
                    Column.text("Ready", PodCells::ready),
                    Column.text("Status", PodCells::status),
                    Column.text(
                            "Restarts",
                            row -> Long.toString(containers(row).stream()
                                    .mapToLong(each ->
                                            Trees.number(each, "restartCount").orElse(0L))
                                    .sum())),
                    Column.AGE,
                    Column.wide("IP", row -> row.textOr("<none>", "status", "podIP")),
                    Column.wide("Node", row -> row.textOr("<none>", "spec", "nodeName")),
                    Column.wide("Nominated Node", row -> row.textOr("<none>", "status", "nominatedNodeName")),
                    Column.wide("Readiness Gates", _ -> "<none>"));

            private PodCells() {}

            private static String ready(Row row) {
                long ready = containers(row).stream()
                        .filter(each -> Trees.isTrue(each, "ready"))
                        .count();
                return ready + "/"
                        + Trees.objects(row.tree(), "spec", "containers").size();
            }

            private static String status(Row row) {
                if (Trees.at(row.tree(), "metadata", "deletionTimestamp").isPresent()) {
                    return "Terminating";
                }
                boolean gated = Trees.objects(row.tree(), "status", "conditions").stream()
                        .anyMatch(each -> Trees.text(each, "type").equals("PodScheduled")
                                && Trees.text(each, "reason").equals("SchedulingGated"));
                if (gated) {
                    return "SchedulingGated";
                }
                String phase = row.textOr("Unknown", "status", "phase");
                boolean bound = Trees.at(row.tree(), "spec", "nodeName").isPresent();
                String shown = phase.equals("Pending") && bound ? "ContainerCreating" : phase;
                return row.textOr(phase.equals("Succeeded") ? "Completed" : shown, "status", "reason");
            }

            private static List<JsonObject> containers(Row row) {
                return Trees.objects(row.tree(), "status", "containerStatuses");
            }
        }

        /** Columns of policies in tables, the same as in the definitions of the chart. */
        private static final class PolicyColumns {
            private static final List<Column> POLICY = List.of(
                    Column.NAME,
                    Column.text(
                            "Selector",
                            row -> Trees.object(row.tree(), "spec", "selector", "matchLabels")
                                    .map(Object::toString)
                                    .orElse("")),
                    Column.text(
                            "Over",
                            row -> Trees.objects(row.tree(), "spec", "rules").stream()
                                    .map(rule -> Trees.text(rule, "topologyKey"))
                                    .collect(Collectors.joining(","))),
                    Column.text("Pods", "status", "pods"),
                    Column.text("Waiting", "status", "waiting"),
                    Column.text(
                            "Satisfied",
                            row -> Conditions.status(row.tree(), "Satisfied").orElse("")),
                    Column.AGE);

            static final Map<String, List<Column>> BY_KIND =
                    Map.of("PlacementPolicy", POLICY, "ClusterPlacementPolicy", POLICY);

            private PolicyColumns() {}
        }

        /**
         * A column and how its cells come out of objects.
         *
         * @param wide shown only on {@code -o wide}
         */
        record Column(String name, String type, boolean wide, Function<Row, JsonElement> cell) {

            static final Column NAME = text("Name", row -> Trees.text(row.tree(), "metadata", "name"));
            static final Column AGE = text("Age", row -> row.since("metadata", "creationTimestamp"));

            static Column text(String name, Function<Row, String> cell) {
                return new Column(name, "string", false, cell.andThen(JsonPrimitive::new));
            }

            static Column text(String name, String... path) {
                return text(name, row -> Trees.text(row.tree(), path));
            }

            static Column number(String name, String... path) {
                return number(name, row -> row.count(path));
            }

            static Column wide(String name, Function<Row, String> cell) {
                return new Column(name, "string", true, cell.andThen(JsonPrimitive::new));
            }

            static Column number(String name, Function<Row, Long> cell) {
                return new Column(name, "integer", false, cell.andThen(JsonPrimitive::new));
            }

            JsonObject definition() {
                return Trees.of(
                        "name",
                        name,
                        "type",
                        type,
                        "format",
                        name.equals("Name") ? "name" : "",
                        "description",
                        "",
                        "priority",
                        wide ? 1 : 0);
            }
        }

        /** An object at the time it is shown. */
        record Row(JsonObject tree, Instant now) {

            /** How long ago a time was; {@code <unknown>} where it is missing. */
            String since(String... path) {
                String time = Trees.text(tree, path);
                return time.isEmpty() ? "<unknown>" : HumanDuration.of(Duration.between(Instant.parse(time), now));
            }

            long count(String... path) {
                return Trees.number(tree, path).orElse(0L);
            }

            String textOr(String otherwise, String... path) {
                String text = Trees.text(tree, path);
                return text.isEmpty() ? otherwise : text;
            }

            /** A field of the pod template's containers, joined by commas. */
            String ofContainers(String field) {
                return Trees.objects(tree, "spec", "template", "spec", "containers").stream()
                        .map(container -> Trees.text(container, field))
                        .collect(Collectors.joining(","));
            }

            String labels(String... path) {
                List<String> pairs = Trees.object(tree, path).stream()
                        .flatMap(labels -> labels.entrySet().stream())
                        .map(label -> label.getKey() + "=" + label.getValue().getAsString())
                        .toList();
                return pairs.isEmpty() ? "<none>" : String.join(",", pairs);
            }

            /** Ages as kubectl shows them: two units while the smaller one still says something. */
            private static final class HumanDuration {

                private HumanDuration() {}

                static String of(Duration age) {
                    long seconds = age.toSeconds();
                    long minutes = seconds / 60;
                    long hours = minutes / 60;
                    long days = hours / 24;
                    if (seconds < -1) {
                        return "<invalid>";
                    }
                    if (seconds < 120) {
                        return Math.max(seconds, 0) + "s";
                    }
                    if (minutes < 10) {
                        return two(minutes, "m", seconds % 60, "s");
                    }
                    if (minutes < 180) {
                        return minutes + "m";
                    }
                    if (hours < 8) {
                        return two(hours, "h", minutes % 60, "m");
                    }
                    if (hours < 48) {
                        return hours + "h";
                    }
                    if (days < 8) {
                        return two(days, "d", hours % 24, "h");
                    }
                    if (days < 730) {
                        return days + "d";
                    }
                    return days < 2920 ? two(days / 365, "y", days % 365, "d") : days / 365 + "y";
                }

                private static String two(long larger, String unit, long smaller, String smallerUnit) {
                    return larger + unit + (smaller == 0 ? "" : smaller + smallerUnit);
                }
            }
        }

        /** Columns of volumes, claims and what they come from. */
        private static final class StorageColumns {
            private static final Map<String, String> ACCESS_MODES = Map.of(
                    "ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");
            private static final String UNSET = "<unset>";
            private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

            static final Map<String, List<Column>> BY_KIND = Map.of(
                    "PersistentVolumeClaim",
                            List.of(
                                    Column.NAME,
                                    Column.text("Status", "status", "phase"),
                                    Column.text("Volume", "spec", "volumeName"),
                                    Column.text("Capacity", "status", "capacity", "storage"),
                                    Column.text("Access Modes", row -> accessModes(row, "status")),
                                    Column.text("StorageClass", "spec", "storageClassName"),
                                    Column.text(
                                            "VolumeAttributesClass",
                                            row -> row.textOr(UNSET, "spec", "volumeAttributesClassName")),
                                    Column.AGE,
                                    Column.wide("VolumeMode", row -> row.textOr(UNSET, "spec", "volumeMode"))),
                    "PersistentVolume",
                            List.of(
                                    Column.NAME,
                                    Column.text("Capacity", "spec", "capacity", "storage"),
                                    Column.text("Access Modes", row -> accessModes(row, "spec")),
                                    Column.text("Reclaim Policy", "spec", "persistentVolumeReclaimPolicy"),
                                    Column.text("Status", "status", "phase"),
                                    Column.text("Claim", StorageColumns::claim),
                                    Column.text("StorageClass", "spec", "storageClassName"),
                                    Column.text(
                                            "VolumeAttributesClass",
                                            row -> row.textOr(UNSET, "spec", "volumeAttributesClassName")),
                                    Column.text("Reason", "status", "reason"),
                                    Column.AGE,
                                    Column.wide("VolumeMode", row -> row.textOr(UNSET, "spec", "volumeMode"))),
                    "StorageClass",
                            List.of(
                                    Column.text("Name", StorageColumns::className),
                                    Column.text("Provisioner", "provisioner"),
                                    Column.text("ReclaimPolicy", row -> row.textOr("Delete", "reclaimPolicy")),
                                    Column.text("VolumeBindingMode", row -> row.textOr(UNSET, "volumeBindingMode")),
                                    Column.text(
                                            "AllowVolumeExpansion", row -> row.textOr("false", "allowVolumeExpansion")),
                                    Column.AGE),
                    "CSINode",
                            List.of(
                                    Column.NAME,
                                    Column.number("Drivers", row -> (long) Trees.objects(row.tree(), "spec", "drivers")
                                            .size()),
                                    Column.AGE));

            private StorageColumns() {}

            private static String accessModes(Row row, String part) {
                return Trees.texts(row.tree(), part, "accessModes").stream()
                        .map(mode -> ACCESS_MODES.getOrDefault(mode, mode))
                        .collect(Collectors.joining(","));
            }

            private static String claim(Row row) {
                return Trees.object(row.tree(), "spec", "claimRef")
                        .map(claim -> Trees.text(claim, "namespace") + "/" + Trees.text(claim, "name"))
                        .orElse("");
            }

            private static String className(Row row) {
                String name = Trees.text(row.tree(), "metadata", "name");
                return Trees.isTrue(row.tree(), "metadata", "annotations", DEFAULT_CLASS) ? name + " (default)" : name;
            }
        }
    }
}
