package io.evenkeel.model;

/**
 * A port that a container claims on its node.
 *
 * @param ip {@code 0.0.0.0}, every address of the node, where absent
 * @param protocol TCP where absent
 * @since 0.1
 */
public record HostPort(String ip, String protocol, int port) {
    public static final String EVERY_ADDRESS = "0.0.0.0";

    public boolean conflictsWith(HostPort other) {
        return port == other.port
                && protocol.equals(other.protocol)
                && (ip.equals(other.ip) || ip.equals(EVERY_ADDRESS) || other.ip.equals(EVERY_ADDRESS));
    }
}
