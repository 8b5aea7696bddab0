package io.evenkeel.model.read;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.decode.JsonDecoder;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.SharedValues;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads Kubernetes objects from JSON, keeping only what scheduling needs. Fields that are not known are skipped, so a
 * newer API server is no problem; fields that are known and wrong are an {@link ObjectReadException}.
 *
 * <p>Kinds that scheduling does not read become {@link UnreadObject}s. One reader may be used by many threads, and
 * should be: it shares the strings that repeat among all objects that it reads.
 */
public final class ObjectReader {
    private final SharedValues shared;
    private final Kinds kinds;

    /** Reads the kinds that Evenkeel knows itself. */
    public ObjectReader() {
        this(Kinds.IN_TREE);
    }

    /** Reads these kinds; of others, only the identity. */
    public ObjectReader(Kinds kinds) {
        this(new SharedValues(), kinds);
    }

    private ObjectReader(SharedValues shared, Kinds kinds) {
        this.shared = shared;
        this.kinds = kinds;
    }

    /** Reads one kind only; its objects need not name its group. Shares what repeats with this. */
    public ObjectReader only(Kind<?> kind) {
        return new ObjectReader(shared, Kinds.of(List.of(kind)));
    }

    public KubernetesObject read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    public KubernetesObject read(byte[] bytes) {
        return only(readAll(bytes));
    }

    /** Reads the object from its opening brace, where the parser stands, and leaves the parser on the closing one. */
    public KubernetesObject read(JsonParser parser) {
        return read(parser, "");
    }

    /** As {@link #read(JsonParser)}, for an object that may leave out its kind because the reader knows it. */
    public KubernetesObject read(JsonParser parser, String kind) {
        List<KubernetesObject> objects = new ArrayList<>(1);
        readEach(parser, kind, objects::add);
        return only(objects);
    }

    /**
     * As {@link #read(JsonParser, String)}, but reads nothing except the metadata: for objects that are gone, of which
     * nothing else matters and nothing else can be wrong.
     */
    public KubernetesObject readIdentity(JsonParser parser, String kind) {
        List<KubernetesObject> objects = new ArrayList<>(1);
        readEach(parser, kind, true, objects::add);
        return only(objects);
    }

    /** Reads nothing but its header of a pod that cannot be read whole, and nothing at all where that cannot be read either. */
    public Optional<PodHeader> readHeader(JsonParser parser) {
        try {
            Values values = PodHeader.OBJECT.newValues();
            JsonDecoder.read(PodHeader.OBJECT, new JsonCursor(parser, shared), values);
            return Optional.of(PodHeader.OBJECT.make(values));
        } catch (FieldProblem | ObjectReadException known) {
            return Optional.empty();
        }
    }

    /** Reads an object, the objects of a list, or several of either one after the other. */
    public List<KubernetesObject> readAll(String text) {
        return readAll(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads an object, the objects of a list, or several of either one after the other. */
    public List<KubernetesObject> readAll(byte[] bytes) {
        List<KubernetesObject> objects = new ArrayList<>();
        try (JsonParser parser = JsonCursor.PARSERS.createParser(bytes)) {
            readDocuments(parser, objects::add);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return List.copyOf(objects);
    }

    /** As {@link #readAll(byte[])}, without holding more than one object at a time; leaves the stream open. */
    public void readEach(InputStream stream, Consumer<? super KubernetesObject> out) {
        try (JsonParser parser = JsonCursor.PARSERS.createParser(stream)) {
            readDocuments(parser, out);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Reads the object or list from its opening brace, where the parser stands. */
    public void readEach(JsonParser parser, Consumer<? super KubernetesObject> out) {
        readEach(parser, "", out);
    }

    private void readDocuments(JsonParser parser, Consumer<? super KubernetesObject> out) {
        while (JsonCursor.reading(parser, JsonParser::nextToken) != null) {
            readEach(parser, "", out);
        }
    }

    private void readEach(JsonParser parser, String kind, Consumer<? super KubernetesObject> out) {
        readEach(parser, kind, false, out);
    }

    private void readEach(
            JsonParser parser, String kind, boolean identityOnly, Consumer<? super KubernetesObject> out) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new ObjectReadException("expected an object, got " + JsonCursor.describe(parser));
        }
        ObjectAssembly assembly = new ObjectAssembly(shared, kinds, kind, identityOnly);
        assembly.read(new JsonCursor(parser, shared), out);
        assembly.finish(out);
    }

    private static KubernetesObject only(List<KubernetesObject> objects) {
        if (objects.size() != 1) {
            throw new ObjectReadException("expected one object, got " + objects.size());
        }
        return objects.getFirst();
    }

    /** Of a pod that cannot be read: who is to place it, and where it is. */
    public record PodHeader(String schedulerName, String nodeName) {
        private static final Message<PodHeader> SPEC = Message.of(fields -> {
            var nodeName = fields.string("nodeName", 10);
            var schedulerName = fields.string("schedulerName", 19, "default-scheduler");
            return read -> new PodHeader(read.get(schedulerName), read.get(nodeName));
        });

        static final Message<PodHeader> OBJECT = Message.of(fields -> {
            var spec = fields.message("spec", 2, SPEC, SPEC.make(SPEC.newValues()));
            return read -> read.get(spec);
        });

        /** A pod, known by no more than this and its metadata. */
        public Pod of(ObjectMeta meta) {
            return PodBuilder.from((Pod) Kinds.POD.identity(meta))
                    .schedulerName(schedulerName)
                    .nodeName(nodeName)
                    .build();
        }
    }
}
