package io.evenkeel.model.read;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A pod and a node that use every field that is read, as JSON and read. */
final class TestObjects {
    static final String POD_JSON = resource("/model/pod.json");
    static final String NODE_JSON = resource("/model/node.json");

    private TestObjects() {}

    static Pod pod() {
        return (Pod) new ObjectReader().read(POD_JSON);
    }

    static Node node() {
        return (Node) new ObjectReader().read(NODE_JSON);
    }

    private static String resource(String path) {
        try (InputStream in = TestObjects.class.getResourceAsStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
