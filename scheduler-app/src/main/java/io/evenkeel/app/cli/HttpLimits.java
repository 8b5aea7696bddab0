package io.evenkeel.app.cli;

/**
 * Limits that the JDK reads once, when the first class of its TLS or its HTTP server is loaded, so they are set at the very
 * start. The HTTP server is a hollow cluster's; ours has {@code app.http.Limits}.
 */
final class HttpLimits {
    private HttpLimits() {}

    /** To be called before anything else touches TLS or {@code com.sun.net.httpserver}; what the command line sets stays. */
    public static void set() {
        // a client may not have a server work out new keys as often as it likes
        setDefault("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        // small answers on kept connections would wait 40 ms for an acknowledgement otherwise
        setDefault("sun.net.httpserver.nodelay", "true");
        // a client that sends its request a byte at a time is cut off; answers have no limit, as some are streams
        setDefault("sun.net.httpserver.maxReqTime", "10");
        setDefault("sun.net.httpserver.maxReqHeaders", "100");
        setDefault("sun.net.httpserver.maxReqHeaderSize", "65536");
        setDefault("sun.net.httpserver.idleInterval", "60");
        setDefault("jdk.httpserver.maxConnections", "500");
    }

    private static void setDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
