package io.evenkeel.model;

import com.fasterxml.jackson.core.JsonFactory;
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

    private final JsonFactory json;
    private final SharedValues shared;
    private final String impliedKind;
    private final boolean identityOnly;
    private final MetaReader meta = new MetaReader();
    private final List<ObjectAssembly> itemsWithoutKind = new ArrayList<>();
    private String kind;
    private String apiVersion = "";
    private Optional<KindReader> reader = Optional.empty();
    private Optional<TokenCopy> early = Optional.empty();
    private boolean isList;

    /**
     * An object of which nothing is known yet.
     *
     * @param impliedKind the kind where the object does not name it; empty where nothing implies one
     * @param identityOnly whether nothing but the metadata is wanted
     */
    ObjectAssembly(JsonFactory json, SharedValues shared, String impliedKind, boolean identityOnly) {
        this.json = json;
        this.shared = shared;
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
                    case "apiVersion" -> apiVersion = in.sharedString();
                    case "metadata" -> meta.read(in);
                    case "items" -> readItems(in, out);
                    default -> readOther(in);
                }
            }
        });
    }

    private void readKind(JsonCursor in) {
        kind = in.sharedString();
        if (!impliedKind.isEmpty() && !impliedKind.equals(kind)) {
            throw in.problem("expected " + impliedKind + ", got " + kind);
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
            ObjectAssembly item = new ObjectAssembly(json, shared, itemKind(), identityOnly);
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
        return kind.equals(LIST) || KindReader.Kind.of(itemKind(), "").isPresent();
    }

    /** What the items are where they do not say it: pods in a PodList, anything in a List. */
    private String itemKind() {
        return kind.endsWith(LIST) ? kind.substring(0, kind.length() - LIST.length()) : "";
    }

    private void readOther(JsonCursor in) {
        if (identityOnly) {
            in.skip();
            return;
        }
        if (!kind.isEmpty()) {
            reader().field(in.field(), in);
            return;
        }
        TokenCopy copy = early.orElseGet(() -> new TokenCopy(json));
        early = Optional.of(copy);
        in.copyTo(copy);
    }

    /** Hands out the object, or what is left of the list. */
    void finish(Consumer<? super KubernetesObject> out) {
        if (isList || isEmptyList()) {
            for (ObjectAssembly item : itemsWithoutKind) {
                item.kind = itemKind();
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
            reader().field(in.field(), in);
        }
    }

    private KubernetesObject build() {
        if (known().isEmpty()) {
            return new UnreadObject(kind, buildMeta());
        }
        if (!meta.isNamed()) {
            throw new FieldProblem("metadata.name", "missing");
        }
        return reader().build(buildMeta());
    }

    private Optional<KindReader.Kind> known() {
        return KindReader.Kind.of(kind, apiVersion);
    }

    private KindReader reader() {
        KindReader chosen = reader.orElseGet(() -> known().map(KindReader.Kind::newReader)
                .orElseGet(() -> KindReader.identityOnly(objectMeta -> new UnreadObject(kind, objectMeta))));
        reader = Optional.of(chosen);
        return chosen;
    }

    /** Runs a step whose problems are to be reported under this object's name. */
    private void naming(Runnable step) {
        try {
            step.run();
        } catch (FieldProblem problem) {
            String subject = (kind.isEmpty() ? "object" : kind) + " " + meta.key();
            throw new ObjectReadException(subject.strip() + ": " + problem.getMessage(), identity(), problem);
        }
    }

    private Optional<ObjectMeta> identity() {
        return meta.isNamed() ? Optional.of(buildMeta()) : Optional.empty();
    }

    private ObjectMeta buildMeta() {
        boolean namespaced = known().map(KindReader.Kind::namespaced).orElse(false);
        return meta.build(namespaced ? "default" : "");
    }
}
