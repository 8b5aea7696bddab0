package io.evenkeel.kube.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.slf4j.event.Level;

/** Why no answer came, or not all of one, in words: exceptions of a connection that ends often have none. */
public final class NoAnswer {
    private NoAnswer() {}

    /** Reason why the server was not reached: the port is closed, the host unknown, or TLS fails. Empty where it is another problem. */
    public static Optional<String> unreached(IOException problem) {
        for (Throwable each = problem; each != null; each = each.getCause()) {
            switch (each) {
                case ConnectException refused -> {
                    return Optional.of(String.valueOf(Optional.ofNullable(refused.getCause())
                            .orElse(refused)
                            .getMessage()));
                }
                case UnknownHostException _, NoRouteToHostException _, SSLException _ -> {
                    return Optional.of(why(problem));
                }
                case SocketTimeoutException late
                when String.valueOf(late.getMessage()).toLowerCase(Locale.ROOT).contains("connect") -> {
                    return Optional.of("no connection comes about in time");
                }
                default -> {}
            }
        }
        return Optional.empty();
    }

    /** Whether nothing was sent, as there was nobody to take it. */
    public static boolean isRefusedConnection(IOException problem) {
        return causes(problem).anyMatch(ConnectException.class::isInstance);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** The level of a line about a failure: that a server is not reached is told once for all who ask it. */
    public static Level level(Throwable failure) {
        return causes(failure)
                        .anyMatch(each -> each instanceof IOException problem
                                && unreached(problem).isPresent())
                ? Level.DEBUG
                : Level.WARN;
    }

    public static String why(IOException problem) {
        if (problem instanceof InterruptedIOException && "timeout".equals(problem.getMessage())) {
            return "nothing came any more, and the connection was not closed";
        }
        return Optional.ofNullable(problem.getMessage()).orElseGet(() -> switch (problem) {
            case EOFException _ -> "the connection was closed";
            default -> problem.getClass().getSimpleName();
        });
    }
}
