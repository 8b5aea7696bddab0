package io.evenkeel.kube.client.http2;

import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection, for many calls at a time. A thread of its own reads. Another one writes: whatever was added while it wrote goes
 * out together, in one record of TLS and one packet. While calls are underway a third gives up overdue ones, also
 * where the others are stuck.
 */
final class CallConnection {
    /** More waits to be written only where the server takes nothing in, and has us answer what it sends. */
    private static final int MOST_UNSENT = 64 << 20;

    /** Mostly it takes microseconds. */
    private static final long LONG_WRITE = TimeUnit.SECONDS.toNanos(1);

    private final Socket socket;
    private final Socket carrier;
    private final Duration limit;
    private final Streams streams;
    private FrameBuffer frames = new FrameBuffer();
    private boolean isClosed;
    private boolean isWatched;
    private long lastRead = System.nanoTime();
    private OptionalLong writesSince = OptionalLong.empty();

    private CallConnection(Socket socket, Socket carrier, String authority, Duration limit) {
        this.socket = socket;
        this.carrier = carrier;
        this.limit = limit;
        streams = new Streams(authority);
        streams.begin(frames);
    }

    /**
     * A connection at work.
     *
     * @param socket on which both sides have agreed to speak HTTP/2
     * @param carrier the socket below it, without TLS
     * @param limit until the whole answer of a call is there
     */
    static CallConnection on(Socket socket, Socket carrier, String authority, Duration limit) {
        CallConnection connection = new CallConnection(socket, carrier, authority, limit);
        thread("http2-write", connection::write).start();
        thread("http2-read", connection::read).start();
        return connection;
    }

    /** They are busy while there is something to do: threads that others make way for would only cost more. */
    private static Thread thread(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).unstarted(work);
    }

    synchronized boolean takesMore() {
        return streams.takesMore();
    }

    /** Takes no new calls from now on, and closes once those underway have ended. */
    synchronized void retire() {
        streams.leave();
        closeIfDone();
    }

    /**
     * Begins a call.
     *
     * @param whenEnded is told once, by the thread that reads, which must not be held up
     * @return nothing where it takes no more calls
     */
    synchronized Optional<Exchange> begin(Request request, Consumer<CallEnd> whenEnded) {
        if (!streams.takesMore()) {
            return Optional.empty();
        }
        long now = System.nanoTime();
        Exchange exchange = new Exchange(request, now, now + limit.toNanos(), whenEnded);
        streams.start(exchange, frames);
        notifyAll();
        watch();
        return Optional.of(exchange);
    }

    /** Gives up waiting for it; it may end nevertheless. */
    synchronized void abandon(Exchange exchange) {
        giveUp(exchange);
        notifyAll();
        closeIfDone();
    }

    /** A connection on which nothing came all the while, or nothing goes out, may be dead: no others are to wait for it as well. */
    private void giveUp(Exchange exchange) {
        streams.abandon(exchange, frames);
        if (lastRead - exchange.start() < 0 || isStuck()) {
            streams.leave();
        }
    }

    private boolean isStuck() {
        return writesSince.isPresent() && System.nanoTime() - writesSince.getAsLong() > LONG_WRITE;
    }

    void fail(IOException why) {
        List<Runnable> ended;
        synchronized (this) {
            streams.fail(why);
            close();
            ended = streams.takeEnded();
        }
        tell(ended);
    }

    private void read() {
        try {
            FrameReader reader = new FrameReader(socket.getInputStream());
            while (true) {
                receive(reader.next(), reader.hasMore());
            }
        } catch (IOException over) {
            fail(over);
        } catch (RuntimeException | Error unexpected) {
            fail(new IOException("an answer could not be read: " + unexpected, unexpected));
        }
    }

    private void receive(Frame frame, boolean hasMore) throws BrokenConnectionException {
        List<Runnable> ended;
        synchronized (this) {
            lastRead = System.nanoTime();
            streams.receive(frame, frames);
            if (frames.size() > MOST_UNSENT) {
                throw new BrokenConnectionException("the server takes nothing in");
            }
            if (!frames.isEmpty()) {
                notifyAll();
            }
            closeIfDone();
            ended = hasMore ? List.of() : streams.takeEnded();
        }
        tell(ended);
    }

    private void write() {
        try {
            FrameBuffer next = take(new FrameBuffer());
            while (!next.isEmpty()) {
                next.writeTo(socket.getOutputStream());
                next.clear();
                next = take(next);
            }
        } catch (IOException over) {
            fail(over);
        } catch (InterruptedException nobody) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes the bytes to write, in exchange for an empty buffer; returns an empty one once nothing will ever come. */
    private synchronized FrameBuffer take(FrameBuffer empty) throws InterruptedException {
        writesSince = OptionalLong.empty();
        while (frames.isEmpty() && !isClosed) {
            wait();
        }
        FrameBuffer full = frames;
        frames = empty;
        writesSince = OptionalLong.of(System.nanoTime());
        return full;
    }

    private void watch() {
        if (!isWatched) {
            isWatched = true;
            Thread.ofVirtual().name("http2-limit").start(this::giveUpInTime);
        }
    }

    private void giveUpInTime() {
        try {
            long left = limit.toNanos();
            while (left > 0) {
                TimeUnit.NANOSECONDS.sleep(left);
                left = giveUpLate();
            }
        } catch (InterruptedException nobody) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nanoseconds until the next is late; none where there is no other. */
    private long giveUpLate() {
        long left = 0;
        List<Runnable> ended;
        synchronized (this) {
            Optional<Exchange> oldest = streams.oldest();
            while (oldest.isPresent() && oldest.get().deadline() - System.nanoTime() <= 0) {
                giveUp(oldest.get());
                IOException late = new SocketTimeoutException("no answer within " + limit.toSeconds() + " s");
                streams.end(oldest.get(), new CallEnd.Failed(late, false));
                oldest = streams.oldest();
            }
            if (oldest.isPresent()) {
                left = Math.max(1, oldest.get().deadline() - System.nanoTime());
            }
            isWatched = left > 0;
            notifyAll();
            closeIfDone();
            ended = streams.takeEnded();
        }
        tell(ended);
        return left;
    }

    /**
     * Not under the lock, as they may begin other calls. One that throws is told of as if its thread had died of it, and the
     * thread goes on: others wait to be told, and there is no other to tell them.
     */
    private static void tell(List<Runnable> ended) {
        for (Runnable each : ended) {
            try {
                each.run();
            } catch (RuntimeException | Error fault) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, fault);
            }
        }
    }

    private void closeIfDone() {
        if (!streams.takesMore() && streams.isEmpty()) {
            close();
        }
    }

    /** Closes without TLS, which would wait for a write that is underway: for ever, if the peer does not read. */
    private void close() {
        if (!isClosed) {
            isClosed = true;
            notifyAll();
            try {
                carrier.close();
            } catch (IOException gone) {
                // which is what was wanted
            }
        }
    }

    /** Reads frames off a connection, as many bytes at a time as there are. Not thread-safe. */
    static final class FrameReader {
        private static final int TYPE = 3;
        private static final int FLAGS = 4;
        private static final int STREAM = 5;

        private final InputStream in;
        private final byte[] buffer = new byte[4 * FrameBuffer.LARGEST_FRAME];
        private int from;
        private int end;

        FrameReader(InputStream in) {
            this.in = in;
        }

        /** Whether the next frame is there as a whole; a partial one may never be. */
        boolean hasMore() {
            int there = end - from;
            return there >= FrameBuffer.HEAD && there >= FrameBuffer.HEAD + length();
        }

        /** Of the payload of the frame that comes next. */
        private int length() {
            return (buffer[from] & 0xff) << 16 | (buffer[from + 1] & 0xff) << 8 | (buffer[from + 2] & 0xff);
        }

        /** The next frame; what the one before held is gone. */
        Frame next() throws IOException {
            fill(FrameBuffer.HEAD);
            int length = length();
            if (length > FrameBuffer.LARGEST_FRAME) {
                throw new BrokenConnectionException("a frame of " + length + " bytes, where "
                        + FrameBuffer.LARGEST_FRAME + " are allowed: is it an HTTP/2 server?");
            }
            fill(FrameBuffer.HEAD + length);
            Frame head = new Frame(buffer[from + TYPE], buffer[from + FLAGS], 0, buffer, from, FrameBuffer.HEAD);
            int stream = head.number(STREAM) & Integer.MAX_VALUE;
            Frame frame = new Frame(head.type(), head.flags(), stream, buffer, from + FrameBuffer.HEAD, length);
            from += FrameBuffer.HEAD + length;
            return frame;
        }

        private void fill(int needed) throws IOException {
            if (from == end) {
                from = 0;
                end = 0;
            } else if (from + needed > buffer.length) {
                System.arraycopy(buffer, from, buffer, 0, end - from);
                end -= from;
                from = 0;
            }
            while (end - from < needed) {
                int count = in.read(buffer, end, buffer.length - end);
                if (count < 0) {
                    throw new EOFException("the server has closed the connection");
                }
                end += count;
            }
        }
    }
}
