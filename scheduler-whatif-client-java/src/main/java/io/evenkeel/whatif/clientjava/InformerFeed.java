package io.evenkeel.whatif.clientjava;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps a {@link ClusterSnapshot} level with client-java's informers. They tell of changes on threads of their own; what they have
 * told by then is in the snapshot each time that it is asked for.
 *
 * <pre>{@code
 * InformerFeed feed = new InformerFeed(SchedulerConfiguration.defaults());
 * feed.follow(nodes);          // a SharedIndexInformer<V1Node>
 * feed.follow(pods);
 * Verdict verdict = feed.snapshot().schedulePod(feed.pod(v1Pod), SchedulingOptions.USUAL);
 * }</pre>
 */
public final class InformerFeed {
    private static final Pattern GENERATED = Pattern.compile("V\\d+(?:(?:alpha|beta)\\d+)?([A-Z]\\w*)");

    private final ClusterSnapshot snapshot;
    private final ObjectReader reader;
    private final Map<String, Change> pending = new LinkedHashMap<>();
    private final Map<String, String> unreadable = new LinkedHashMap<>();

    private record Change(KubernetesObject object, boolean isGone) {}

    /** @param configuration of the scheduler that is to be asked, by the plugins that come with Evenkeel */
    public InformerFeed(SchedulerConfiguration configuration) {
        snapshot = new ClusterSnapshot(configuration, InTreePlugins.registry());
        reader = new ObjectReader(Kinds.IN_TREE);
    }

    /** The kinds of objects that scheduling reads. Of one that is not followed, it is as if there were none. */
    public List<String> kinds() {
        return snapshot.kinds().stream().map(Kind::name).toList();
    }

    /** Hears of all objects of an informer, those that it has already too. */
    public <T extends io.kubernetes.client.common.KubernetesObject> InformerFeed follow(SharedInformer<T> informer) {
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                put(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                put(object);
            }

            @Override
            public void onDelete(T object, boolean isStateUnknown) {
                delete(object);
            }
        });
        return this;
    }

    /** Takes an object in by hand, new or changed. One that cannot be read is {@link #unreadable}, and counts as gone. */
    public void put(io.kubernetes.client.common.KubernetesObject object) {
        try {
            note(new Change(read(object), false), "");
        } catch (ObjectReadException why) {
            note(new Change(identityOf(object), true), String.valueOf(why.getMessage()));
        }
    }

    /** Takes an object out by hand. */
    public void delete(io.kubernetes.client.common.KubernetesObject object) {
        note(new Change(identityOf(object), true), "");
    }

    private KubernetesObject read(io.kubernetes.client.common.KubernetesObject object) {
        String json = JSON.serialize(object);
        // informers hand out objects as lists hold them, without their kind
        return reader.read(
                object.getKind() == null ? "{\"kind\":\"" + kindOf(object) + "\"," + json.substring(1) : json);
    }

    private KubernetesObject identityOf(io.kubernetes.client.common.KubernetesObject object) {
        String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
        ObjectMeta meta = ObjectMeta.named(
                namespace, Objects.requireNonNullElse(object.getMetadata().getName(), ""));
        String kind = kindOf(object);
        return Kinds.IN_TREE
                .find(kind, Objects.requireNonNullElse(object.getApiVersion(), ""))
                .map(known -> known.identity(meta))
                .orElseGet(() -> new UnreadObject(kind, meta));
    }

    private static String kindOf(io.kubernetes.client.common.KubernetesObject object) {
        if (object.getKind() != null) {
            return object.getKind();
        }
        Matcher generated = GENERATED.matcher(object.getClass().getSimpleName());
        return generated.matches() ? generated.group(1) : object.getClass().getSimpleName();
    }

    private synchronized void note(Change change, String why) {
        String key = change.object().kindName() + " " + change.object().meta().key();
        pending.put(key, change);
        if (why.isEmpty()) {
            unreadable.remove(key);
        } else {
            unreadable.put(key, why);
        }
    }

    /** The objects that there are and that cannot be read, as {@code Kind namespace/name}, each with the reason. */
    public synchronized Map<String, String> unreadable() {
        return Map.copyOf(unreadable);
    }

    /**
     * The snapshot, level with what has been told. What was tried in it before is taken back. It is always the same one, and for the
     * caller's thread alone; {@link ClusterSnapshot#fork} makes one for another.
     */
    public ClusterSnapshot snapshot() {
        Map<String, Change> changes;
        synchronized (this) {
            changes = new LinkedHashMap<>(pending);
            pending.clear();
        }
        snapshot.reset();
        for (Change change : changes.values()) {
            if (change.isGone()) {
                snapshot.delete(change.object());
            } else {
                snapshot.put(change.object());
            }
        }
        return snapshot;
    }

    /** The pod to ask about. */
    public Pod pod(V1Pod pod) {
        return (Pod) read(pod);
    }

    /** A pod of a template, such as that of a Deployment, to ask about. */
    public Pod pod(String namespace, String name, V1PodTemplateSpec template) {
        V1ObjectMeta meta = new V1ObjectMeta().namespace(namespace).name(name);
        V1ObjectMeta given = template.getMetadata();
        if (given != null) {
            meta.labels(given.getLabels()).annotations(given.getAnnotations());
        }
        return pod(new V1Pod().metadata(meta).spec(template.getSpec()));
    }
}
