package io.evenkeel.model.kind;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.StorageClass.BindingMode;
import io.evenkeel.model.storage.StorageClass.TopologyTerm;
import io.evenkeel.model.storage.VolumeAttachment;
import io.evenkeel.model.value.NamedConstant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of {@code storage.k8s.io}: where volumes can be made, and how many a node can have. */
final class StorageFields {
    private record Driver(String name, List<String> topologyKeys, Optional<Integer> count) {}

    private record DriverSpec(boolean tellsCapacity, boolean mustBeInstalled) {}

    private record Attachment(String attacher, String volumeName, String node) {}

    private static final Message<TopologyTerm.Requirement> REQUIREMENT = Message.of(fields -> {
        var key = fields.string("key", 1).from(TopologyTerm.Requirement::key);
        var values = fields.values("values", 2).from(TopologyTerm.Requirement::values);
        return read -> new TopologyTerm.Requirement(read.get(key), read.get(values));
    });

    private static final Message<TopologyTerm> TOPOLOGY = Message.of(fields -> {
        var requirements = fields.list("matchLabelExpressions", 1, REQUIREMENT).from(TopologyTerm::requirements);
        return read -> new TopologyTerm(read.get(requirements));
    });

    static final Message<StorageClass> STORAGE_CLASS = Message.ofObject(fields -> {
        var provisioner = fields.string("provisioner", 2).from(StorageClass::provisioner);
        var bindingMode = fields.optionalConstant("volumeBindingMode", 7, NamedConstant.byName(BindingMode.class))
                .from(StorageClass::bindingMode);
        var allowedTopologies = fields.list("allowedTopologies", 8, TOPOLOGY).from(StorageClass::allowedTopologies);
        return read -> new StorageClass(
                read.get(Metadata.FIELD), read.get(provisioner), read.get(bindingMode), read.get(allowedTopologies));
    });

    private static final Message<Optional<Integer>> ALLOCATABLE = Rows.only(fields -> fields.optionalInt32("count", 1));

    private static final Message<Driver> DRIVER = Message.of(fields -> {
        var name = fields.string("name", 1).from(Driver::name);
        var topologyKeys = fields.values("topologyKeys", 3).from(Driver::topologyKeys);
        var allocatable =
                fields.message("allocatable", 4, ALLOCATABLE, Optional.empty()).from(Driver::count);
        return read -> new Driver(read.get(name), read.get(topologyKeys), read.get(allocatable));
    });

    private static final Message<List<Driver>> CSI_NODE_SPEC = Rows.only(fields -> fields.list("drivers", 1, DRIVER));

    static final Message<CsiNode> CSI_NODE = Message.ofObject(fields -> {
        var drivers = fields.message("spec", 2, CSI_NODE_SPEC, List.of()).from(StorageFields::drivers);
        return read -> {
            List<Driver> all = read.get(drivers);
            return new CsiNode(
                    read.get(Metadata.FIELD),
                    all.stream().map(Driver::name).collect(toUnmodifiableSet()),
                    limits(all),
                    topologyKeys(all));
        };
    });

    private static final Message<DriverSpec> CSI_DRIVER_SPEC = Message.of(fields -> {
        var tellsCapacity = fields.bool("storageCapacity", 4, false).from(DriverSpec::tellsCapacity);
        var mustBeInstalled =
                fields.bool("preventPodSchedulingIfMissing", 11, false).from(DriverSpec::mustBeInstalled);
        return read -> new DriverSpec(read.get(tellsCapacity), read.get(mustBeInstalled));
    });

    static final Message<CsiDriver> CSI_DRIVER = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, CSI_DRIVER_SPEC, new DriverSpec(false, false))
                .from(StorageFields::driverSpec);
        return read -> new CsiDriver(
                read.get(Metadata.FIELD),
                read.get(spec).tellsCapacity(),
                read.get(spec).mustBeInstalled());
    });

    static final Message<CsiStorageCapacity> CSI_STORAGE_CAPACITY = Message.ofObject(fields -> {
        var nodeTopology =
                fields.optional("nodeTopology", 2, SelectorFields.SELECTOR).from(CsiStorageCapacity::nodes);
        var storageClassName = fields.string("storageClassName", 3).from(CsiStorageCapacity::storageClass);
        var capacity = fields.optionalQuantity("capacity", 4).from(CsiStorageCapacity::capacity);
        var maximumVolumeSize = fields.optionalQuantity("maximumVolumeSize", 5).from(CsiStorageCapacity::largest);
        return read -> new CsiStorageCapacity(
                read.get(Metadata.FIELD),
                read.get(storageClassName),
                read.get(nodeTopology),
                read.get(capacity),
                read.get(maximumVolumeSize));
    });

    private static final Message<String> ATTACHED = Rows.only(fields -> fields.uniqueString("persistentVolumeName", 1));

    private static final Message<Attachment> ATTACHMENT_SPEC = Message.of(fields -> {
        var attacher = fields.string("attacher", 1).from(Attachment::attacher);
        var source = fields.message("source", 2, ATTACHED, "").from(Attachment::volumeName);
        var nodeName = fields.string("nodeName", 3).from(Attachment::node);
        return read -> new Attachment(read.get(attacher), read.get(source), read.get(nodeName));
    });

    static final Message<VolumeAttachment> VOLUME_ATTACHMENT = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, ATTACHMENT_SPEC, new Attachment("", "", ""))
                .from(StorageFields::spec);
        return read -> new VolumeAttachment(
                read.get(Metadata.FIELD),
                read.get(spec).attacher(),
                read.get(spec).node(),
                read.get(spec).volumeName());
    });

    private StorageFields() {}

    private static List<Driver> drivers(CsiNode node) {
        return node.drivers().stream()
                .sorted()
                .map(driver -> new Driver(
                        driver,
                        node.topologyKeys().getOrDefault(driver, List.of()),
                        Optional.ofNullable(node.limits().get(driver))))
                .toList();
    }

    private static DriverSpec driverSpec(CsiDriver driver) {
        return new DriverSpec(driver.tellsCapacity(), driver.mustBeInstalled());
    }

    private static Attachment spec(VolumeAttachment attachment) {
        return new Attachment(attachment.attacher(), attachment.volumeName(), attachment.node());
    }

    private static Map<String, Integer> limits(List<Driver> drivers) {
        Map<String, Integer> limits = new LinkedHashMap<>();
        for (Driver driver : drivers) {
            driver.count().ifPresent(count -> limits.put(driver.name(), count));
        }
        return Map.copyOf(limits);
    }

    private static Map<String, List<String>> topologyKeys(List<Driver> drivers) {
        Map<String, List<String>> keys = new LinkedHashMap<>();
        for (Driver driver : drivers) {
            if (!driver.topologyKeys().isEmpty()) {
                keys.put(driver.name(), driver.topologyKeys());
            }
        }
        return Map.copyOf(keys);
    }
}
