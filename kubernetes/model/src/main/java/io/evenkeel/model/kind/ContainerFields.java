package io.evenkeel.model.kind;

import io.evenkeel.model.Container;
import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.value.Quantity;
import java.util.Map;
import java.util.Optional;

/**
 * Containers, init containers and what their statuses say. Limits do not stand in for absent requests here: the API
 * server has done that before a scheduler sees the pod.
 */
final class ContainerFields {
    private static final String RESTART_ALL = "RestartAllContainers";
    private static final String ALWAYS = "Always";

    /** A {@code resources} field: how much it asks for, and how much may be used at most. */
    record Resources(Map<String, Quantity> requests, Map<String, Quantity> limits) {
        static final Resources NONE = new Resources(Map.of(), Map.of());
    }

    static final Message<Resources> RESOURCES = Message.of(fields -> {
        var limits = fields.resources("limits", 1).from(Resources::limits);
        var requests = fields.resources("requests", 2).from(Resources::requests);
        return read -> new Resources(read.get(requests), read.get(limits));
    });

    /** Only the requests, of a status. */
    static final Message<Map<String, Quantity>> ACTUAL = Rows.only(fields -> fields.resources("requests", 2));

    /** Without a number it is not claimed on the node. */
    private static final Message<Optional<HostPort>> PORT = Message.of(fields -> {
        var hostPort = fields.int32("hostPort", 2, 0).from(Rows.ofPresent(HostPort::port, 0));
        var protocol = fields.string("protocol", 4, "TCP").from(Rows.ofPresent(HostPort::protocol, ""));
        var hostIp = fields.string("hostIP", 5, HostPort.EVERY_ADDRESS).from(Rows.ofPresent(HostPort::ip, ""));
        return read -> read.get(hostPort) > 0
                ? Optional.of(new HostPort(read.get(hostIp), read.get(protocol), read.get(hostPort)))
                : Optional.empty();
    });

    private static final Message<Boolean> RESTARTS_ALL = Message.of(fields -> {
        var action = fields.string("action", 1).from((Boolean all) -> all ? RESTART_ALL : "");
        return read -> read.get(action).equals(RESTART_ALL);
    });

    static final Message<Container> CONTAINER = container(false);
    static final Message<Container> INIT_CONTAINER = container(true);

    static final Message<ContainerStatus> STATUS = Message.<ContainerStatus>of(fields -> {
                var name = fields.string("name", 1).from(ContainerStatus::name);
                var allocated = fields.resources("allocatedResources", 10).from(ContainerStatus::allocatedResources);
                var resources = fields.optional("resources", 11, ACTUAL).from(ContainerStatus::actualRequests);
                return read -> new ContainerStatus(read.get(name), read.get(allocated), read.get(resources));
            })
            .mostlyUnread();

    private ContainerFields() {}

    /** Of init containers, {@code restartPolicy: Always} makes a sidecar; on containers it means something else. */
    private static Message<Container> container(boolean init) {
        return Message.<Container>of(fields -> {
                    var name = fields.string("name", 1).from(Container::name);
                    var image = fields.string("image", 2).from(Container::image);
                    var ports = fields.listOfPresent("ports", 6, PORT).from(Container::hostPorts);
                    var resources = fields.message("resources", 8, RESOURCES, Resources.NONE)
                            .from((Container one) -> new Resources(one.requests(), one.limits()));
                    var restartPolicy =
                            fields.string("restartPolicy", 24).from((Container one) -> one.sidecar() ? ALWAYS : "");
                    var restartsAll = fields.merged("restartPolicyRules", 25, RESTARTS_ALL, false, Boolean::logicalOr)
                            .from(Container::restartsAllContainers);
                    return read -> new Container(
                            read.get(name),
                            read.get(image),
                            read.get(resources).requests(),
                            read.get(resources).limits(),
                            read.get(ports),
                            init && read.get(restartPolicy).equals(ALWAYS),
                            read.get(restartsAll));
                })
                .mostlyUnread();
    }
}
