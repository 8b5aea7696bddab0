package io.evenkeel.kube.client.http2;

import io.evenkeel.kube.client.http2.CallConnection.FrameReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import okhttp3.internal.http2.Hpack;
import okio.Buffer;

/** A server of HTTP/2 over TLS that does on each connection what a script says, frame by frame. */
final class FrameServer implements AutoCloseable {
    /** What is done on a connection; by their number in turn. */
    @FunctionalInterface
    interface Script {
        void play(Client client, int connection) throws Exception;
    }

    /** A call that has come. */
    record Heard(int stream, String path) {}

    private final SSLServerSocket listening;
    private final Script script;
    private final List<MultiplexedCalls> clients = new CopyOnWriteArrayList<>();
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<String> reset = new CopyOnWriteArrayList<>();

    FrameServer(Script script) {
        this.script = script;
        try {
            listening = (SSLServerSocket) TestConnectors.CERTIFICATE
                    .sslContext()
                    .getServerSocketFactory()
                    .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException noSocket) {
            throw new UncheckedIOException(noSocket);
        }
        SSLParameters parameters = listening.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        listening.setSSLParameters(parameters);
        Thread.ofPlatform().daemon().name("frame-server").start(this::accept);
    }

    /** Calls to it that end after a time, and with the server. */
    MultiplexedCalls calls(Duration limit) {
        MultiplexedCalls calls = new MultiplexedCalls(TestConnectors.to("127.0.0.1", listening.getLocalPort(), limit));
        clients.add(calls);
        return calls;
    }

    int connections() {
        return accepted.size();
    }

    /** The paths of all calls that came, in their order. */
    List<String> heard() {
        return heard;
    }

    /** Which calls the client has taken back. */
    List<String> takenBack() {
        return reset;
    }

    private void accept() {
        AtomicInteger number = new AtomicInteger();
        try {
            while (true) {
                Socket socket = listening.accept();
                accepted.add(socket);
                Thread.ofPlatform().daemon().name("frame-client").start(() -> serve(socket, number.getAndIncrement()));
            }
        } catch (IOException closed) {
            // and that was all
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            Client client = new Client(socket);
            script.play(client, number);
            client.awaitEnd();
        } catch (Exception over) {
            // the client sees it
        }
    }

    @Override
    public void close() throws IOException {
        clients.forEach(MultiplexedCalls::close);
        listening.close();
        for (Socket socket : accepted) {
            socket.close();
        }
        TestConnectors.awaitNoThreads();
    }

    /** The other end of a connection. */
    final class Client {
        private final Socket socket;
        private final FrameReader in;
        private final Buffer headers = new Buffer();
        private final Hpack.Reader table = new Hpack.Reader(headers, RequestHeaders.LARGEST_TABLE);

        private Client(Socket socket) throws IOException {
            this.socket = socket;
            socket.getInputStream().readNBytes(ClientFrames.PREFACE.length());
            in = new FrameReader(socket.getInputStream());
            send(ServerFrames.frame(Frame.SETTINGS, 0, 0));
        }

        /** In one record of TLS, where they are not large. */
        void send(byte[]... frames) throws IOException {
            Buffer all = new Buffer();
            for (byte[] frame : frames) {
                all.write(frame);
            }
            socket.getOutputStream().write(all.readByteArray());
            socket.getOutputStream().flush();
        }

        void cut() throws IOException {
            socket.close();
        }

        /** The next call, as soon as its headers are there. */
        Heard next() throws IOException {
            Frame frame = in.next();
            while (frame.type() != Frame.HEADERS) {
                if (frame.type() == Frame.RST_STREAM) {
                    reset.add(frame.stream() + " with " + frame.number(0));
                }
                frame = in.next();
            }
            headers.write(frame.buffer(), frame.from(), frame.length());
            table.readHeaders();
            String path = table.getAndResetHeaderList().stream()
                    .filter(header -> header.name.utf8().equals(":path"))
                    .findFirst()
                    .orElseThrow()
                    .value
                    .utf8();
            heard.add(path);
            return new Heard(frame.stream(), path);
        }

        /** Answers all that comes. */
        void answerAll() throws IOException {
            while (true) {
                send(ServerFrames.answer(next().stream(), 200));
            }
        }

        private void awaitEnd() throws IOException {
            while (true) {
                next();
            }
        }
    }
}
