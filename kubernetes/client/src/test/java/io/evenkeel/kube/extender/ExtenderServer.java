package io.evenkeel.kube.extender;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** A real HTTP server that is an extender: it answers each verb as it is told to, and remembers what it was asked. */
public final class ExtenderServer implements AutoCloseable {

    /** A request: the last part of its path, and its body. */
    public record Asked(String verb, String body) {}

    private final HttpServer server;
    private final String scheme;
    private final Map<String, UnaryOperator<String>> answers = new ConcurrentHashMap<>();
    private final Map<String, Integer> codes = new ConcurrentHashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Optional<CountDownLatch> held = Optional.empty();

    private ExtenderServer(HttpServer server, String scheme) {
        this.server = server;
        this.scheme = scheme;
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    public static ExtenderServer start() {
        return startAt(0);
    }

    /** At a port where one was before. */
    public static ExtenderServer startAt(int port) {
        try {
            return new ExtenderServer(
                    HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0), "http");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ExtenderServer startTls(SSLContext context) {
        return startTls(new HttpsConfigurator(context));
    }

    static ExtenderServer startTlsForKnownClients(SSLContext context) {
        return startTls(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters required = getSSLContext().getDefaultSSLParameters();
                required.setNeedClientAuth(true);
                parameters.setSSLParameters(required);
            }
        });
    }

    private static ExtenderServer startTls(HttpsConfigurator configurator) {
        try {
            HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(configurator);
            return new ExtenderServer(server, "https");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return scheme + "://127.0.0.1:" + port() + "/scheduler";
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Answers the verb with this from now on. */
    public ExtenderServer answers(String verb, String answer) {
        return answers(verb, _ -> answer);
    }

    /** Answers the verb with what it makes of the question. */
    public ExtenderServer answers(String verb, UnaryOperator<String> answer) {
        codes.remove(verb);
        answers.put(verb, answer);
        return this;
    }

    /** Answers the verb with a code and no sense. */
    public ExtenderServer fails(String verb, int code) {
        codes.put(verb, code);
        return this;
    }

    /** Lets no answer go until {@link #release}. */
    public void hold() {
        held = Optional.of(new CountDownLatch(1));
    }

    public void release() {
        held.ifPresent(CountDownLatch::countDown);
        held = Optional.empty();
    }

    public List<Asked> asked() {
        return asked;
    }

    public long asked(String verb) {
        return asked.stream().filter(one -> one.verb().equals(verb)).count();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String verb = path.substring(path.lastIndexOf('/') + 1);
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(new Asked(verb, body));
        await(held);
        int code = codes.getOrDefault(verb, answers.containsKey(verb) && path.startsWith("/scheduler/") ? 200 : 404);
        byte[] answer = (code == 200 ? answers.get(verb).apply(body) : "no").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private void await(Optional<CountDownLatch> latch) {
        try {
            while (latch.isPresent() && closed.getCount() > 0 && latch.get().getCount() > 0) {
                latch.get().await(10, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
