package io.evenkeel.kube.client.http2;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The output of a connection's streams, sent or waiting: requests for a stream, where the server allows no more of
 * them at a time, and bodies for its windows. Not thread-safe.
 */
final class Outbound {
    static final int FIRST_WINDOW = 65_535;

    /** A sensible server allows that many, and says so only after the first calls may have been made. */
    private static final int MOST_STREAMS_AT_FIRST = 100;

    private static final int LAST_STREAM = Integer.MAX_VALUE - 2;

    private final RequestHeaders headers;
    private final SequencedMap<Integer, Exchange> open;
    private final Deque<Exchange> waiting = new ArrayDeque<>();
    private int nextStream = 1;
    private int mostStreams = MOST_STREAMS_AT_FIRST;
    private int firstWindow = FIRST_WINDOW;
    private long window = FIRST_WINDOW;

    /** @param open the exchanges that have a stream */
    Outbound(String authority, SequencedMap<Integer, Exchange> open) {
        headers = new RequestHeaders(authority);
        this.open = open;
    }

    /** Whether it has numbers for more streams. */
    boolean hasNumbers() {
        return nextStream + 2 * waiting.size() < LAST_STREAM;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void add(Exchange exchange) {
        waiting.addLast(exchange);
    }

    Optional<Exchange> oldest() {
        return Optional.ofNullable(waiting.peekFirst());
    }

    void remove(Exchange exchange) {
        waiting.remove(exchange);
    }

    List<Exchange> takeWaiting() {
        List<Exchange> untouched = new ArrayList<>(waiting);
        waiting.clear();
        return untouched;
    }

    /** Takes in what the server says of itself. */
    void settings(Frame frame) throws BrokenConnectionException {
        for (int i = 0; i < frame.length(); i += Frame.SETTING) {
            int value = frame.number(i + Short.BYTES);
            switch (frame.twoBytes(i)) {
                case Frame.HEADER_TABLE_SIZE -> headers.limitTable(unsigned(value));
                case Frame.MAX_CONCURRENT_STREAMS -> mostStreams = unsigned(value);
                case Frame.INITIAL_WINDOW_SIZE -> {
                    if (value < 0) {
                        throw new BrokenConnectionException("a window of more bytes than there may be");
                    }
                    int change = value - firstWindow;
                    open.values().forEach(exchange -> exchange.widen(change));
                    firstWindow = value;
                }
                default -> {} // of no concern to senders of small frames
            }
        }
    }

    /** More than we can count is as much as we can. */
    private static int unsigned(int value) {
        return value < 0 ? Integer.MAX_VALUE : value;
    }

    /** The server takes more, on one stream or, by number 0, on all together. */
    void widen(int stream, int increment) {
        if (stream == 0) {
            window += increment;
        } else {
            Optional.ofNullable(open.get(stream)).ifPresent(exchange -> exchange.widen(increment));
        }
    }

    void pump(FrameBuffer out) {
        if (window > 0) {
            open.forEach((stream, exchange) -> sendBody(stream, exchange, out));
        }
        while (!waiting.isEmpty() && open.size() < mostStreams) {
            Exchange exchange = waiting.removeFirst();
            int stream = nextStream;
            nextStream += 2;
            exchange.begins(firstWindow);
            open.put(stream, exchange);
            out.headers(stream, headers.write(exchange.request()), exchange.left() == 0);
            sendBody(stream, exchange, out);
        }
    }

    private void sendBody(int stream, Exchange exchange, FrameBuffer out) {
        int part = part(exchange);
        while (part > 0) {
            boolean isLast = part == exchange.left();
            out.data(stream, exchange.request().body(), exchange.send(part), part, isLast);
            window -= part;
            part = part(exchange);
        }
    }

    private int part(Exchange exchange) {
        return (int) Math.min(window, Math.min(FrameBuffer.LARGEST_FRAME, exchange.sendable()));
    }
}
