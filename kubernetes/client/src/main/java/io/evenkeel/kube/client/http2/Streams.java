package io.evenkeel.kube.client.http2;

import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd;
import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The exchanges on one connection: a state machine that takes calls and the server's frames, and gives out frames for the
 * server. An exchange has a stream from when its headers are sent until it has ended. Not thread-safe.
 *
 * <p>For example, where the server allows two streams and three calls are made:
 *
 * <pre>
 * event                 frames for the server      open   waiting
 * calls a, b, c         HEADERS 1, HEADERS 3       1 3    c
 * HEADERS 1, its last   HEADERS 5                  3 5            a is answered, and c has a stream
 * GOAWAY, last is 3     -                          3              c was not looked at: it may be made elsewhere
 * </pre>
 */
final class Streams {
    /** How much may come in on one stream, and on all together, before we say that we have read it. */
    static final int OUR_WINDOW = 1 << 20;

    /** Of one answer, with all that continues them. */
    static final int LARGEST_HEADERS = 1 << 18;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final SequencedMap<Integer, Exchange> open = new LinkedHashMap<>();
    private final Outbound outbound;
    private final GrowingBytes headerBlock = new GrowingBytes();
    private final List<Runnable> ended = new ArrayList<>();
    private boolean isLastBlock;
    private int unfinished;
    private int unacknowledged;
    private boolean isLeaving;

    Streams(String authority) {
        outbound = new Outbound(authority, open);
    }

    void begin(FrameBuffer out) {
        out.raw(PREFACE);
        out.settings(Frame.HEADER_TABLE_SIZE, 0, Frame.ENABLE_PUSH, 0, Frame.INITIAL_WINDOW_SIZE, OUR_WINDOW);
        out.windowUpdate(0, OUR_WINDOW - Outbound.FIRST_WINDOW);
    }

    boolean takesMore() {
        return !isLeaving && outbound.hasNumbers();
    }

    void leave() {
        isLeaving = true;
    }

    boolean isEmpty() {
        return open.isEmpty() && outbound.isEmpty();
    }

    void start(Exchange exchange, FrameBuffer out) {
        outbound.add(exchange);
        outbound.pump(out);
    }

    Optional<Exchange> oldest() {
        return open.isEmpty()
                ? outbound.oldest()
                : Optional.of(open.firstEntry().getValue());
    }

    void abandon(Exchange exchange, FrameBuffer out) {
        outbound.remove(exchange);
        for (Iterator<Map.Entry<Integer, Exchange>> streams = open.entrySet().iterator(); streams.hasNext(); ) {
            Map.Entry<Integer, Exchange> stream = streams.next();
            if (stream.getValue() == exchange) {
                streams.remove();
                out.reset(stream.getKey(), Frame.CANCEL);
            }
        }
        outbound.pump(out);
    }

    /** The connection is gone. What has no stream yet was not sent. */
    void fail(IOException why) {
        isLeaving = true;
        open.values().forEach(exchange -> end(exchange, new CallEnd.Failed(why, false)));
        open.clear();
        returnWaiting(why);
    }

    void end(Exchange exchange, CallEnd what) {
        ended.add(() -> exchange.whenEnded().accept(what));
    }

    /** Takes what is to be told of exchanges that have ended; not while others wait to use this. */
    List<Runnable> takeEnded() {
        List<Runnable> taken = List.copyOf(ended);
        ended.clear();
        return taken;
    }

    /** Takes a frame in. What it throws is the end of the connection. */
    void receive(Frame frame, FrameBuffer out) throws BrokenConnectionException {
        if (unfinished != (frame.type() == Frame.CONTINUATION ? frame.stream() : 0)) {
            throw new BrokenConnectionException("headers break off, or go on that never began");
        }
        switch (frame.type()) {
            case Frame.DATA -> data(frame, out);
            case Frame.HEADERS -> {
                headerBlock.clear();
                isLastBlock = frame.has(Frame.END_STREAM);
                headers(frame.content(), out);
            }
            case Frame.CONTINUATION -> headers(frame, out);
            case Frame.RST_STREAM -> reset(frame.stream(), frame.number(0));
            case Frame.SETTINGS -> settings(frame, out);
            case Frame.PING -> ping(frame, out);
            case Frame.GOAWAY -> goAway(frame.number(0) & Integer.MAX_VALUE);
            case Frame.WINDOW_UPDATE -> outbound.widen(frame.stream(), frame.number(0) & Integer.MAX_VALUE);
            case Frame.PUSH_PROMISE -> throw new BrokenConnectionException("the server pushes what nobody asked for");
            default -> {} // as the protocol wants it of frames that it does not know
        }
        outbound.pump(out);
    }

    private void headers(Frame part, FrameBuffer out) throws BrokenConnectionException {
        headerBlock.add(part.buffer(), part.from(), part.length());
        if (headerBlock.size() > LARGEST_HEADERS) {
            throw new BrokenConnectionException("headers of more than " + LARGEST_HEADERS + " bytes");
        }
        unfinished = part.has(Frame.END_HEADERS) ? 0 : part.stream();
        if (unfinished != 0) {
            return;
        }
        Map<String, String> fields = ResponseHeaders.read(headerBlock.toArray());
        Exchange exchange = open.get(part.stream());
        if (exchange != null) {
            exchange.received(fields);
            if (isLastBlock) {
                answered(part.stream(), exchange, out);
            }
        }
    }

    private void data(Frame frame, FrameBuffer out) throws BrokenConnectionException {
        Exchange exchange = open.get(frame.stream());
        if (exchange != null) {
            exchange.received(frame.content());
            if (frame.has(Frame.END_STREAM)) {
                answered(frame.stream(), exchange, out);
            } else if (frame.length() > 0) {
                out.windowUpdate(frame.stream(), frame.length());
            }
        }
        unacknowledged += frame.length();
        if (unacknowledged > OUR_WINDOW / 2) {
            out.windowUpdate(0, unacknowledged);
            unacknowledged = 0;
        }
    }

    private void answered(int stream, Exchange exchange, FrameBuffer out) throws BrokenConnectionException {
        Reply reply = exchange.reply();
        open.remove(stream);
        if (exchange.left() > 0) {
            out.reset(stream, Frame.CANCEL); // answered before it has heard all: no more comes
        }
        end(exchange, new CallEnd.Answered(reply));
    }

    private void reset(int stream, int error) {
        Exchange exchange = open.remove(stream);
        if (exchange != null) {
            IOException why = new IOException("the server has broken off the call, with HTTP/2 error " + error);
            end(exchange, new CallEnd.Failed(why, error == Frame.REFUSED_STREAM && !exchange.isAnswered()));
        }
    }

    private void settings(Frame frame, FrameBuffer out) throws BrokenConnectionException {
        if (!frame.has(Frame.ACK)) {
            outbound.settings(frame);
            out.settingsTaken();
        }
    }

    private static void ping(Frame frame, FrameBuffer out) {
        if (!frame.has(Frame.ACK)) {
            out.pong(Arrays.copyOfRange(frame.buffer(), frame.from(), frame.from() + frame.length()));
        }
    }

    /** The server answers what it has taken until then; all else may be made elsewhere. */
    private void goAway(int last) {
        isLeaving = true;
        IOException why = new IOException("the server takes no more calls on this connection");
        for (Iterator<Map.Entry<Integer, Exchange>> streams = open.entrySet().iterator(); streams.hasNext(); ) {
            Map.Entry<Integer, Exchange> stream = streams.next();
            if (stream.getKey() > last) {
                streams.remove();
                end(stream.getValue(), new CallEnd.Failed(why, true));
            }
        }
        returnWaiting(why);
    }

    private void returnWaiting(IOException why) {
        outbound.takeWaiting().forEach(exchange -> end(exchange, new CallEnd.Failed(why, true)));
    }

    /**
     * The output of a connection's streams, sent or waiting: requests for a stream, where the server allows no more of
     * them at a time, and bodies for its windows. Not thread-safe.
     */
    static final class Outbound {
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

        /** Whether of an open exchange's body something may be left to send. */
        private boolean isBodyLeft;

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

        /** Comes with each frame, and nearly all bodies have gone out with their headers. */
        void pump(FrameBuffer out) {
            if (window > 0 && isBodyLeft) {
                isBodyLeft = false;
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
            isBodyLeft |= exchange.left() > 0;
        }

        private int part(Exchange exchange) {
            return (int) Math.min(window, Math.min(FrameBuffer.LARGEST_FRAME, exchange.sendable()));
        }
    }
}
