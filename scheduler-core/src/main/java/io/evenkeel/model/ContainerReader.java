package io.evenkeel.model;

/** Reads the containers and init containers of a pod's spec. */
final class ContainerReader {
    private ContainerReader() {}

    static Container readContainer(JsonCursor in) {
        return read(in, false);
    }

    /** Of init containers, {@code restartPolicy: Always} makes a sidecar; on containers it means something else. */
    static Container readInitContainer(JsonCursor in) {
        return read(in, true);
    }

    private static Container read(JsonCursor in, boolean init) {
        ContainerBuilder container = ContainerBuilder.container("");
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "name" -> container.name(in.sharedString());
                case "image" -> container.image(in.sharedString());
                case "resources" -> container.resources(ResourcesReader.read(in));
                case "ports" -> readPorts(in, container);
                case "restartPolicy" -> container.sidecar(in.sharedString().equals("Always") && init);
                case "restartPolicyRules" ->
                    container.restartsAllContainers(
                            in.list(ContainerReader::readRestartsAllContainers).contains(true));
                default -> in.skip();
            }
        }
        return container.build();
    }

    private static boolean readRestartsAllContainers(JsonCursor in) {
        String action = "";
        in.enterObject();
        while (in.nextField()) {
            if (in.field().equals("action")) {
                action = in.sharedString();
            } else {
                in.skip();
            }
        }
        return action.equals("RestartAllContainers");
    }

    private static void readPorts(JsonCursor in, ContainerBuilder container) {
        in.enterList();
        while (in.nextElement()) {
            HostPort port = readPort(in);
            if (port.port() > 0) {
                container.hostPort(port);
            }
        }
    }

    /** A port that is not claimed on the node has the number 0. */
    private static HostPort readPort(JsonCursor in) {
        String ip = "";
        String protocol = "";
        int port = 0;
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "hostIP" -> ip = in.sharedString();
                case "protocol" -> protocol = in.sharedString();
                case "hostPort" -> port = in.integer();
                default -> in.skip();
            }
        }
        return new HostPort(ip.isEmpty() ? HostPort.EVERY_ADDRESS : ip, protocol.isEmpty() ? "TCP" : protocol, port);
    }
}
