package io.evenkeel.kube.client.http2;

import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd;
import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd.Reply;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A connection's streams without a connection: calls by name, and what is said and told of them. */
final class StreamsFixture {
    final FrameBuffer out = new FrameBuffer();
    final Streams streams = new Streams("server:6443");
    final Map<String, Exchange> calls = new HashMap<>();
    private final List<String> told = new ArrayList<>();

    static StreamsFixture begun() {
        StreamsFixture fixture = new StreamsFixture();
        fixture.streams.begin(fixture.out);
        fixture.sent();
        return fixture;
    }

    void call(String name, int bodyBytes) {
        Request request = new Request(bodyBytes == 0 ? "GET" : "POST", "/" + name, List.of(), new byte[bodyBytes]);
        Exchange exchange = new Exchange(request, 0, 1, end -> told.add(name + " " + inWords(end)));
        calls.put(name, exchange);
        streams.start(exchange, out);
    }

    private static String inWords(CallEnd end) {
        return switch (end) {
            case CallEnd.Answered(Reply reply) ->
                (reply.code() + " " + new String(reply.body(), StandardCharsets.UTF_8)).strip();
            case CallEnd.Failed(IOException _, boolean isUntouched) -> isUntouched ? "untouched" : "failed";
        };
    }

    void receive(byte[]... frames) throws IOException {
        for (byte[] frame : frames) {
            streams.receive(ServerFrames.read(frame), out);
        }
    }

    /** What goes to the server, since this was asked. */
    List<String> sent() {
        return ClientFrames.take(out);
    }

    /** Who has been told of what, since this was asked. */
    List<String> ended() {
        streams.takeEnded().forEach(Runnable::run);
        List<String> now = List.copyOf(told);
        told.clear();
        return now;
    }
}
