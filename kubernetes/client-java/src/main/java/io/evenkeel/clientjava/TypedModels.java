package io.evenkeel.clientjava;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import io.kubernetes.client.openapi.JSON;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a plugin reads, as client-java's typed models, such as V1Node. A model has the fields that scheduling reads and no others.
 * Each call converts the whole object, by its JSON: good for a hint or a pod, too dear for each node of each pod. Immutable.
 *
 * @since 0.1
 */
public final class TypedModels {
    /** The version that the name of a generated class begins with. */
    private static final Pattern GENERATED = Pattern.compile("V\\d+(?:(?:alpha|beta)\\d+)?([A-Z]\\w*)");

    private final ObjectWriter writer;

    /** @param own kinds that the plugin brings, whose tables say where all values are found */
    public TypedModels(Kind<?>... own) {
        this.writer = new ObjectWriter(Kinds.IN_TREE.with(List.of(own)));
    }

    /**
     * Returns the object as this model.
     *
     * @throws IllegalArgumentException if the model is of another kind, or the object of one that is not read
     */
    public <M extends io.kubernetes.client.common.KubernetesObject> M as(Class<M> model, KubernetesObject object) {
        M typed = JSON.deserialize(writer.json(object), model);
        Matcher generated = GENERATED.matcher(model.getSimpleName());
        if (generated.matches() && !generated.group(1).equals(typed.getKind())) {
            throw new IllegalArgumentException(
                    object.kindName() + " " + object.meta().key() + " is no " + model.getSimpleName());
        }
        return typed;
    }
}
