package io.evenkeel.model;

/** Reads the containers and init containers of a pod's spec. */
final class WireContainerReader {
    private final WireValues values;

    WireContainerReader(WireValues values) {
        this.values = values;
    }

    /** Copies what is read of a container: not its mounts, nor its environment and probes, which are most of it. */
    void project(WireCursor container, WireProjection projection) {
        int begun = projection.begin(container.field());
        WireCursor in = container.message();
        while (in.next()) {
            switch (in.field()) {
                case 1, 2, 6, 8, 24, 25 -> in.copyTo(projection);
                default -> {}
            }
        }
        projection.end(begun);
    }

    /** Of init containers, {@code restartPolicy: Always} makes a sidecar; on containers it means something else. */
    Container read(WireCursor in, boolean init) {
        ContainerBuilder container = ContainerBuilder.container("");
        boolean restartsAll = false;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> container.name(values.string(in));
                case 2 -> container.image(values.string(in));
                case 6 -> readPort(in.message(), container);
                case 8 -> container.resources(values.resources(in.message()));
                case 24 -> container.sidecar(values.string(in).equals("Always") && init);
                case 25 -> restartsAll |= restartsAll(in.message());
                default -> {}
            }
        }
        return container.restartsAllContainers(restartsAll).build();
    }

    private boolean restartsAll(WireCursor in) {
        boolean all = false;
        while (in.next()) {
            if (in.field() == 1) {
                all = values.string(in).equals("RestartAllContainers");
            }
        }
        return all;
    }

    private void readPort(WireCursor in, ContainerBuilder container) {
        String ip = "";
        String protocol = "";
        int port = 0;
        while (in.next()) {
            switch (in.field()) {
                case 2 -> port = in.int32();
                case 4 -> protocol = values.string(in);
                case 5 -> ip = values.string(in);
                default -> {}
            }
        }
        if (port > 0) {
            container.hostPort(new HostPort(
                    ip.isEmpty() ? HostPort.EVERY_ADDRESS : ip, protocol.isEmpty() ? "TCP" : protocol, port));
        }
    }
}
