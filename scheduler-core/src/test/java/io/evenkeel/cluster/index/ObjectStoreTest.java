package io.evenkeel.cluster.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Service;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@link ObjectStore} beside a map by kind and key. */
class ObjectStoreTest {
    private final ObjectStore.Writer writer = ObjectStore.create();
    private final ObjectStore store = writer.objects();
    private final Map<String, Service> services = new HashMap<>();
    private final Map<String, Namespace> namespaces = new HashMap<>();

    @Test
    void everyWayOfAskingFindsTheLastVersion() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            String name = "x" + random.nextInt(4);
            Labels labels = Labels.of("version", "" + i);
            Service service = new Service(ObjectMeta.named("default", name), labels);
            Namespace namespace = new Namespace(ObjectMeta.named("", name).withLabels(labels));
            switch (random.nextInt(4)) {
                case 0 -> put(service, services);
                case 1 -> put(namespace, namespaces);
                case 2 -> remove(service, services);
                default -> remove(namespace, namespaces);
            }

            Optional<Service> known = Optional.ofNullable(services.get("default/" + name));
            assertThat(store.find(Kinds.SERVICE, "default/" + name)).isEqualTo(known);
            assertThat(store.find("Service", "default/" + name)).isEqualTo(known);
            assertThat(store.like(service)).isEqualTo(known);
            assertThat(store.all(Kinds.SERVICE)).containsExactlyInAnyOrderElementsOf(services.values());
            assertThat(store.all(Kinds.NAMESPACE)).containsExactlyInAnyOrderElementsOf(namespaces.values());
            assertThat(store.all("Service")).containsExactlyElementsOf(store.all(Kinds.SERVICE));
            assertThat(store.all()).containsAll(services.values()).containsAll(namespaces.values());
            assertThat(store.all()).hasSize(services.size() + namespaces.size());
        }
    }

    private <T extends KubernetesObject> void put(T object, Map<String, T> known) {
        assertThat(writer.put(object))
                .isEqualTo(Optional.ofNullable(known.put(object.meta().key(), object)));
    }

    private <T extends KubernetesObject> void remove(T object, Map<String, T> known) {
        assertThat(writer.remove(object))
                .isEqualTo(Optional.ofNullable(known.remove(object.meta().key())));
    }
}
