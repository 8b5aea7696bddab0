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
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.JsonCursor.TokenCopy;
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

    /** Reads one kind from protobuf. Shares what repeats with this, though it is for one thread itself. */
    public ProtobufReader protobuf(Kind<?> kind) {
        return new ProtobufReader(shared, Kinds.of(List.of(kind)));
    }

    public KubernetesObject read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    public KubernetesObject read(byte[] bytes) {
        return only(readAll(bytes));
    }

    /**
     * Reads the object from its opening brace, where the parser stands, and leaves the parser on the closing one.
     *
     * @param kind of an object that leaves it out
     */
    public KubernetesObject read(JsonParser parser, String kind) {
        List<KubernetesObject> objects = new ArrayList<>(1);
        readEach(parser, kind, false, objects::add);
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

    private void readDocuments(JsonParser parser, Consumer<? super KubernetesObject> out) {
        while (JsonCursor.reading(parser, JsonParser::nextToken) != null) {
            readEach(parser, "", false, out);
        }
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

    /**
     * One JSON object on its way to becoming a Kubernetes object, or to handing out the objects of the list that it is.
     *
     * <p>Fields come in any order. What needs the kind and comes before it is copied and read at the end; so are a list's
     * items that rely on the list's kind where that is written after them. Nothing is copied on the usual way.
     */
    private static final class ObjectAssembly {
        private static final String LIST = "List";

        private final SharedValues shared;
        private final Kinds kinds;
        private final String impliedKind;
        private final boolean identityOnly;
        private final Values meta = Metadata.AGED_TABLE.newValues();
        private final List<ObjectAssembly> itemsWithoutKind = new ArrayList<>();
        private String kind;
        private String apiVersion = "";
        private Optional<Values> fields = Optional.empty();
        private Optional<TokenCopy> early = Optional.empty();
        private boolean isList;

        /**
         * An object that nothing is known of yet.
         *
         * @param impliedKind the kind where the object does not name it; empty where nothing implies one
         * @param identityOnly whether nothing but the metadata is wanted
         */
        ObjectAssembly(SharedValues shared, Kinds kinds, String impliedKind, boolean identityOnly) {
            this.shared = shared;
            this.kinds = kinds;
            this.impliedKind = impliedKind;
            this.identityOnly = identityOnly;
            this.kind = impliedKind;
        }

        /** Reads the object that the cursor stands on; where it is a list, its items go out at once. */
        void read(JsonCursor in, Consumer<? super KubernetesObject> out) {
            naming(() -> {
                in.enterObject();
                while (in.nextField()) {
                    switch (in.field()) {
                        case "kind" -> readKind(in);
                        case "apiVersion" -> readApiVersion(in);
                        case "metadata" -> JsonDecoder.read(Metadata.AGED_TABLE, in, meta);
                        case "items" -> readItems(in, out);
                        default -> readOther(in);
                    }
                }
            });
        }

        private void readKind(JsonCursor in) {
            String before = kind;
            kind = in.sharedString();
            if (!impliedKind.isEmpty() && !impliedKind.equals(kind)) {
                throw in.problem("expected " + impliedKind + ", got " + Excerpt.of(kind));
            }
            if (fields.isPresent() && !before.equals(kind)) {
                throw in.problem("said twice, before that " + Excerpt.of(before));
            }
        }

        private void readApiVersion(JsonCursor in) {
            String before = apiVersion;
            apiVersion = in.sharedString();
            if (fields.isPresent() && !before.isEmpty() && !before.equals(apiVersion)) {
                throw in.problem("said twice, before that " + Excerpt.of(before));
            }
        }

        private void readItems(JsonCursor in, Consumer<? super KubernetesObject> out) {
            boolean mayBeList = kind.isEmpty() || kind.endsWith(LIST);
            if (!mayBeList || !in.isList()) {
                readOther(in);
                return;
            }
            isList = true;
            in.enterList();
            while (in.nextElement()) {
                ObjectAssembly item = new ObjectAssembly(shared, kinds, itemKind(), identityOnly);
                item.apiVersion = itemVersion();
                item.read(in.nested(), out);
                if (item.kind.isEmpty() && !item.isList) {
                    itemsWithoutKind.add(item);
                } else {
                    item.finish(out);
                }
            }
        }

        /** Without items, the name alone does not tell a list from an object: some CRDs' kinds end in "List". */
        private boolean isEmptyList() {
            return kind.equals(LIST) || kinds.find(itemKind(), "").isPresent();
        }

        /** Returns the kind of items that do not say it: pods in a PodList, anything in a List. */
        private String itemKind() {
            return kind.endsWith(LIST) ? kind.substring(0, kind.length() - LIST.length()) : "";
        }

        private String itemVersion() {
            return itemKind().isEmpty() ? "" : apiVersion;
        }

        private void readOther(JsonCursor in) {
            if (identityOnly) {
                in.skip();
                return;
            }
            if (isKindKnown()) {
                readField(in);
                return;
            }
            TokenCopy copy = early.orElseGet(TokenCopy::new);
            early = Optional.of(copy);
            in.copyTo(copy);
        }

        private boolean isKindKnown() {
            return !kind.isEmpty() && !(apiVersion.isEmpty() && kinds.areSeveral(kind));
        }

        /** Hands out the object, or what is left of the list. */
        void finish(Consumer<? super KubernetesObject> out) {
            if (isList || isEmptyList()) {
                for (ObjectAssembly item : itemsWithoutKind) {
                    item.kind = itemKind();
                    item.apiVersion = item.apiVersion.isEmpty() ? itemVersion() : item.apiVersion;
                    item.finish(out);
                }
                return;
            }
            naming(() -> {
                if (kind.isEmpty()) {
                    throw new FieldProblem("kind", "missing");
                }
                early.ifPresent(this::replay);
                out.accept(build());
            });
        }

        private void replay(TokenCopy copy) {
            JsonCursor in = copy.replay(shared);
            in.enterObject();
            while (in.nextField()) {
                readField(in);
            }
        }

        private void readField(JsonCursor in) {
            Optional<Kind<?>> known = known();
            if (known.isEmpty()) {
                in.skip();
                return;
            }
            Message<?> table = known.get().table();
            Values values = fields.orElseGet(table::newValues);
            fields = Optional.of(values);
            JsonDecoder.readField(table, in, values);
        }

        private KubernetesObject build() {
            Optional<Kind<?>> known = known();
            if (known.isEmpty()) {
                return new UnreadObject(kind, meta());
            }
            Kind<?> row = known.get();
            if (identityOnly) {
                return row.identity(meta());
            }
            return row.make(meta(), fields.orElseGet(row.table()::newValues));
        }

        private Optional<Kind<?>> known() {
            return kinds.find(kind, apiVersion);
        }

        private ObjectMeta meta() {
            return Metadata.ofWhatIsThere(
                    meta, known().<Message<?>>map(Kind::table).orElse(Metadata.IDENTITY));
        }

        /** Runs a step, and reports its problems under this object's name. */
        private void naming(Runnable step) {
            try {
                step.run();
            } catch (FieldProblem problem) {
                String subject = (kind.isEmpty() ? "object" : Excerpt.of(kind)) + " "
                        + identity().map(meta -> Excerpt.of(meta.key())).orElse("");
                throw new ObjectReadException(subject.strip() + ": " + problem.getMessage(), identity(), problem);
            }
        }

        private Optional<ObjectMeta> identity() {
            ObjectMeta known = meta();
            return known.name().isEmpty()
                    ? Optional.empty()
                    : Optional.of(known().map(row -> row.home(known)).orElse(known));
        }
    }
}
