package io.evenkeel.app.http;

/**
 * Limits of the JDK's HTTP servers in this process. The JDK reads these settings once, when the first
 * server class is loaded, so they are set at the very start.
 */
public final class HttpLimits {
    private HttpLimits() {}

    /** To be called before anything else touches {@code com.sun.net.httpserver}; what the command line sets stays. */
    public static void set() {
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
