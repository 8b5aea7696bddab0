package io.evenkeel.app.http;

import java.net.InetSocketAddress;
import java.util.List;

/** What is being served, until it is closed. */
public final class Serving implements AutoCloseable {
    private final List<EndpointServer> servers;

    Serving(List<EndpointServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /** Where, HTTPS first. */
    public List<InetSocketAddress> addresses() {
        return servers.stream().map(EndpointServer::address).toList();
    }

    @Override
    public void close() {
        servers.forEach(EndpointServer::close);
    }
}
