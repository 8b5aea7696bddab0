package io.evenkeel.world.net;

import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.world.play.Actors;
import io.evenkeel.world.play.SimulatedProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An answer as it comes in: bytes now and then, until it ends or breaks. Read by one actor, filled by the network. */
final class Arrival implements ApiAnswer {
    private final SimulatedProcess process;
    private final int code;
    private final String contentType;
    private final long retryAfterSeconds;
    private final Runnable closing;
    private byte[] bytes = new byte[0];
    private int read;
    private boolean ended;
    private boolean broken;
    private Actors.@Nullable Actor reader;

    Arrival(SimulatedProcess process, int code, String contentType, long retryAfterSeconds, Runnable closing) {
        this.process = process;
        this.code = code;
        this.contentType = contentType;
        this.retryAfterSeconds = retryAfterSeconds;
        this.closing = closing;
    }

    /** More has come. */
    void came(byte[] more) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(bytes, read, bytes.length - read);
        all.writeBytes(more);
        bytes = all.toByteArray();
        read = 0;
        wake();
    }

    /** Nothing more will come. */
    void end() {
        ended = true;
        wake();
    }

    /** The connection is gone; what has come can still be read. */
    void breakOff() {
        broken = true;
        wake();
    }

    private void wake() {
        if (reader != null) {
            Actors.Actor waiting = reader;
            reader = null;
            process.now(waiting::resume);
        }
    }

    @Override
    public int code() {
        return code;
    }

    @Override
    public String contentType() {
        return contentType;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return retryAfterSeconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(retryAfterSeconds));
    }

    @Override
    public InputStream body() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int from, int most) throws IOException {
                if (most == 0) {
                    return 0;
                }
                while (read == bytes.length) {
                    if (process.isKilled()) {
                        throw SimulatedProcess.gone();
                    }
                    if (broken) {
                        throw new IOException("connection reset");
                    }
                    if (ended) {
                        return -1;
                    }
                    reader = process.current();
                    process.await();
                }
                int taken = Math.min(most, bytes.length - read);
                System.arraycopy(bytes, read, into, from, taken);
                read += taken;
                if (read == bytes.length) {
                    bytes = Arrays.copyOf(bytes, 0);
                    read = 0;
                }
                return taken;
            }

            @Override
            public byte[] readNBytes(int most) throws IOException {
                ByteArrayOutputStream all = new ByteArrayOutputStream(Math.clamp(most, 0, bytes.length - read));
                byte[] part = new byte[Math.min(most, 1_024)];
                int taken = 0;
                while (all.size() < most && taken >= 0) {
                    all.write(part, 0, taken);
                    taken = read(part, 0, Math.min(part.length, most - all.size()));
                }
                return all.toByteArray();
            }
        };
    }

    @Override
    public void cutOff() {
        breakOff();
    }

    @Override
    public void close() {
        closing.run();
    }
}
