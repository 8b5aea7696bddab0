package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.auth.Authentication;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** Running servers, until they are closed. */
public final class Serving implements AutoCloseable {
    private final List<EndpointServer> servers;
    private final Optional<Authentication> authentication;

    Serving(List<EndpointServer> servers, Optional<Authentication> authentication) {
        this.servers = List.copyOf(servers);
        this.authentication = authentication;
    }

    /** The addresses that are listened on, HTTPS first. */
    public List<InetSocketAddress> addresses() {
        return servers.stream().map(EndpointServer::address).toList();
    }

    @Override
    public void close() {
        servers.forEach(EndpointServer::close);
        authentication.ifPresent(Authentication::close);
    }
}
