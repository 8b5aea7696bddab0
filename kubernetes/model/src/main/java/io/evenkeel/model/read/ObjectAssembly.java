package io.evenkeel.model.read;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.decode.JsonDecoder;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.SharedValues;
import io.evenkeel.model.decode.cursor.TokenCopy;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One JSON object on its way to becoming a Kubernetes object, or to handing out the objects of the list that it is.
 *
 * <p>Fields come in any order. What needs the kind and comes before it is copied and read at the end; so are a list's
 * items that rely on the list's kind where that is written after them. Nothing is copied on the usual way.
 */
final class ObjectAssembly {
    private static final String LIST = "List";

    private final SharedValues shared;
    private final Kinds kinds;
    private final String impliedKind;
    private final boolean identityOnly;
    private final Values meta = Metadata.TABLE.newValues();
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
                    case "metadata" -> JsonDecoder.read(Metadata.TABLE, in, meta);
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
        return Metadata.ofWhatIsThere(meta);
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
