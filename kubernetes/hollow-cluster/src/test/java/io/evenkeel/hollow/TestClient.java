package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Calls a hollow cluster as its administrator: over HTTP/2 where it has TLS, else over HTTP/1.1. */
final class TestClient implements AutoCloseable {

    static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final String ALL_SENT = "k8s.io/initial-events-end";

    private final HollowCluster cluster;
    private final HttpClient http;

    TestClient(HollowCluster cluster) {
        this.cluster = cluster;
        this.http = cluster.sslContext()
                .map(trusted -> HttpClient.newBuilder().sslContext(trusted))
                .orElseGet(() -> HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1))
                .build();
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, "", "application/json");
    }

    JsonObject getTree(String path) throws IOException, InterruptedException {
        return JsonParser.parseString(get(path).body()).getAsJsonObject();
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send("POST", path, body, "application/json");
    }

    HttpResponse<String> put(String path, String body) throws IOException, InterruptedException {
        return send("PUT", path, body, "application/json");
    }

    HttpResponse<String> delete(String path, String body) throws IOException, InterruptedException {
        return send("DELETE", path, body, "application/json");
    }

    HttpResponse<String> patch(String path, String body, String kind) throws IOException, InterruptedException {
        return send("PATCH", path, body, "application/" + kind + "+json");
    }

    HttpResponse<String> send(String method, String path, String body, String contentType)
            throws IOException, InterruptedException {
        return send(method, path, body, contentType, cluster.adminToken());
    }

    HttpResponse<String> send(String method, String path, String body, String contentType, String token)
            throws IOException, InterruptedException {
        return http.send(request(method, path, body, contentType, token), BodyHandlers.ofString());
    }

    /** As typed clients do: protobuf in, protobuf out wherever there is such. */
    HttpResponse<byte[]> sendProtobuf(String method, String path, byte[] body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(cluster.url() + path))
                        .header("Authorization", "Bearer " + cluster.adminToken())
                        .header("Content-Type", PROTOBUF)
                        .header("Accept", PROTOBUF + ",application/json")
                        .method(method, BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofByteArray());
    }

    /** The frames of a watch in protobuf, up to the one that says that all there was has been sent. */
    List<String> watchProtobuf(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(cluster.url() + path))
                .header("Authorization", "Bearer " + cluster.adminToken())
                .header("Accept", PROTOBUF + ";stream=watch")
                .build();
        List<String> frames = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(
                http.send(request, BodyHandlers.ofInputStream()).body())) {
            do {
                frames.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
            } while (!frames.getLast().contains(ALL_SENT));
        }
        return frames;
    }

    /** The events of a watch, up to the one that says that all there was has been sent. */
    List<JsonObject> initialEvents(String path) throws IOException, InterruptedException {
        List<JsonObject> events = new ArrayList<>();
        try (Stream<String> lines = watch(path)) {
            Iterator<String> all = lines.iterator();
            do {
                events.add(JsonParser.parseString(all.next()).getAsJsonObject());
            } while (!events.getLast().toString().contains(ALL_SENT));
        }
        return events;
    }

    /** With headers of its own, as names and values. */
    HttpResponse<String> getWith(String path, String token, String... headers)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(cluster.url() + path))
                        .header("Authorization", "Bearer " + token)
                        .headers(headers)
                        .build(),
                BodyHandlers.ofString());
    }

    /** The lines of a watch, as they come. */
    Stream<String> watch(String path) throws IOException, InterruptedException {
        return http.send(request("GET", path, "", "application/json", cluster.adminToken()), BodyHandlers.ofLines())
                .body();
    }

    /** The events of a watch that ends by itself. */
    List<JsonObject> events(String path) throws IOException, InterruptedException {
        try (Stream<String> lines = watch(path)) {
            return lines.map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .toList();
        }
    }

    /** Asks as kubectl does: for a table, or JSON where there is none. */
    HttpResponse<String> getTable(String path) throws IOException, InterruptedException {
        return http.send(tables(path), BodyHandlers.ofString());
    }

    Stream<String> watchTables(String path) throws IOException, InterruptedException {
        return http.send(tables(path), BodyHandlers.ofLines()).body();
    }

    private HttpRequest tables(String path) {
        return HttpRequest.newBuilder(URI.create(cluster.url() + path))
                .header("Authorization", "Bearer " + cluster.adminToken())
                .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json")
                .build();
    }

    private HttpRequest request(String method, String path, String body, String contentType, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(cluster.url() + path))
                .header("Content-Type", contentType)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        return (token.isEmpty() ? request : request.header("Authorization", "Bearer " + token)).build();
    }

    @Override
    public void close() {
        http.close();
    }
}
