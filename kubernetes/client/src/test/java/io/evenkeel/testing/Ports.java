package io.evenkeel.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for what has to be told which one to serve on. */
public final class Ports {
    private static final int FIRST = 20_000;
    /** Beyond begin those that a system gives to whoever wants any: nobody is given this one before it is served on. */
    private static final int END = 32_000;

    private Ports() {}

    /** A port of the loopback address on which nobody serves. */
    public static int unused() {
        int port = ThreadLocalRandom.current().nextInt(FIRST, END);
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return port;
        } catch (IOException taken) {
            return unused();
        }
    }
}
