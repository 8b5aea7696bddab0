package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.Cluster;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.testing.OneProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A plugin that brings a kind of its own: a record, a table, a row; everything else follows. */
class PluginKindTest {

    /** A rack takes pods while it is not closed. */
    record Rack(ObjectMeta meta, boolean closed) implements PluginObject {
        @Override
        public String kindName() {
            return "Rack";
        }
    }

    private static final Message<Boolean> SPEC = Message.of(fields -> {
        var closed = fields.bool("closed", 1, false);
        return read -> read.get(closed);
    });

    private static final Kind<Rack> RACK = rackOf("Rack");

    private static Kind<Rack> rackOf(String name) {
        return new Kind<>(name, "example.com", "v1", "racks", false, Rack.class, Message.ofObject(fields -> {
            var closed = fields.message("spec", 2, SPEC, false);
            return read -> new Rack(read.get(Metadata.FIELD), read.get(closed));
        }));
    }

    /** Lets pods on nodes whose rack is open. */
    record OpenRacks(Cluster cluster, Kind<Rack> kind) implements FilterPlugin, WakeUpPlugin, QueueSortPlugin {
        @Override
        public String name() {
            return "OpenRacks";
        }

        @Override
        public Set<Kind<?>> reads() {
            return Set.of(kind);
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            return cluster.find(kind, node.name())
                            .filter(rack -> !rack.closed())
                            .isPresent()
                    ? Status.SUCCESS
                    : Status.unschedulable("the rack is closed");
        }

        @Override
        public List<WakeUp> wakeUps() {
            return List.of(WakeUp.on(
                    (pod, change) -> change.after(Rack.class)
                            .filter(rack -> !rack.closed())
                            .isPresent(),
                    ChangeKind.added(kind),
                    ChangeKind.updated(kind)));
        }

        @Override
        public int compare(QueuedPod one, QueuedPod other) {
            return one.pod().key().compareTo(other.pod().key());
        }
    }

    private final List<String> handled = new ArrayList<>();
    private final ObjectReader reader = new ObjectReader(Kinds.IN_TREE.with(Set.of(RACK)));
    private long now;

    @Test
    void aKindOfAPluginIsAwaitedKeptAndWakesPods() {
        Scheduler scheduler = scheduler(RACK);
        assertThat(scheduler.watchedKinds()).extracting(Kind::path).contains("/apis/example.com/v1/racks");
        List.of("Node", "Namespace", "Pod").forEach(kind -> listed(scheduler, kind));
        assertThat(scheduler.awaitedKinds()).containsExactly("Rack");
        listed(scheduler, "Rack", rack("n1", true));
        assertThat(scheduler.isSynced()).isTrue();

        scheduler.handle(new ClusterEvent.Put(NodeBuilder.node("n1").build()));
        scheduler.handle(new ClusterEvent.Put(PodBuilder.pod("p").uid("1").build()));
        assertThat(scheduler.scheduleNext()).isTrue();
        assertThat(scheduler.cluster().isAssumed("default/p")).isFalse();

        scheduler.handle(new ClusterEvent.Put(rack("n1", false)));
        now += 2_000_000_000L;
        scheduler.tick();
        assertThat(scheduler.scheduleNext()).isTrue();
        assertThat(scheduler.cluster().isAssumed("default/p")).isTrue();
        assertThat(handled).contains("RackUpdate");
    }

    @Test
    void aNewListingTakesOutWhatIsNoLongerInIt() {
        Scheduler scheduler = scheduler(RACK);
        listed(scheduler, "Rack", rack("n1", false), rack("n2", false));
        listed(scheduler, "Rack", rack("n2", false));

        assertThat(scheduler.cluster().objects().all(RACK))
                .extracting(rack -> rack.meta().name())
                .containsExactly("n2");
        assertThat(handled).endsWith("RackDelete");
    }

    @Test
    void aKindOfAnotherNameIsRefused() {
        assertThatThrownBy(() -> scheduler(rackOf("Pod")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("OpenRacks")
                .hasMessageContaining("there are two kinds Pod, of example.com/v1 and of v1");
    }

    /** A kind whose name is taken already is named with its group; objects and metrics of the two are kept apart. */
    @Test
    void aKindOfATakenNameIsNamedWithItsGroup() {
        assertThat(Kinds.IN_TREE.with(Set.of(rackOf("Pod.example.com"))).find("Pod", "example.com/v1"))
                .hasValueSatisfying(kind -> assertThat(kind.plural()).isEqualTo("racks"));
        assertThat(Kinds.IN_TREE.with(Set.of(rackOf("Pod.example.com"))).find("Pod", ""))
                .hasValue(Kinds.POD);
        assertThatThrownBy(() -> rackOf("Rack.racks.example.com"))
                .hasMessageContaining("must be the group, example.com");
        assertThatThrownBy(() -> Kinds.of(List.of(rackOf("Rack"), rackOf("Rack.example.com"))))
                .hasMessageContaining("there are two kinds Rack.example.com");
    }

    @Test
    void aRecordThatCallsItselfOtherwiseThanItsRowIsRefused() {
        ObjectReader racks = new ObjectReader(Kinds.IN_TREE.with(Set.of(rackOf("Shelf"))));
        assertThatThrownBy(() -> racks.read("""
            {"apiVersion":"example.com/v1","kind":"Shelf","metadata":{"name":"n1"}}
            """)).hasMessageContaining("the record of Shelf calls itself \"Rack\"");
    }

    /** One object that a plugin's table fails at must not make a watch begin again, for ever. */
    @Test
    void whatATableFailsAtIsAProblemOfTheObject() {
        Message<String> spec = Message.of(fields -> {
            var place = fields.string("place", 1);
            return read -> {
                throw new IllegalStateException("no " + read.get(place) + "\n");
            };
        });
        ObjectReader racks = new ObjectReader(Kinds.of(Set.of(new Kind<>(
                "Rack", "example.com", "v1", "racks", false, Rack.class, Message.ofObject(fields -> {
                    var place = fields.message("spec", 2, spec, "");
                    return read ->
                            new Rack(read.get(Metadata.FIELD), read.get(place).isEmpty());
                })))));

        assertThatExceptionOfType(ObjectReadException.class)
                .isThrownBy(() -> racks.read("""
                    {"apiVersion":"example.com/v1","kind":"Rack","metadata":{"name":"n1"},"spec":{"place":"hall"}}
                    """))
                .withMessage("Rack n1: spec: java.lang.IllegalStateException: no hall\\n")
                .satisfies(problem -> assertThat(problem.identity()).isPresent());
    }

    /** Where an object goes, all that is asked is which. */
    @Test
    void anObjectThatGoesNeedsNothingThatItsTableRequires() throws IOException {
        ObjectReader racks = new ObjectReader(Kinds.of(Set.of(
                new Kind<>("Rack", "example.com", "v1", "racks", false, Rack.class, Message.ofObject(_ -> read -> {
                    throw new IllegalArgumentException("a rack without a place");
                })))));
        Scheduler scheduler = scheduler(RACK);
        listed(scheduler, "Rack", rack("n1", false));

        try (JsonParser parser = new JsonFactory().createParser("{\"metadata\":{\"name\":\"n1\"}}")) {
            parser.nextToken();
            scheduler.handle(new ClusterEvent.Removed(racks.readIdentity(parser, "Rack")));
        }
        assertThat(scheduler.cluster().objects().all(RACK)).isEmpty();
        assertThat(handled).endsWith("RackDelete");
    }

    private KubernetesObject rack(String name, boolean closed) {
        return reader.read("""
            {"apiVersion":"example.com/v1","kind":"Rack","metadata":{"name":"%s"},"spec":{"closed":%s,"height":42}}
            """.formatted(name, closed));
    }

    private static void listed(Scheduler scheduler, String kind, KubernetesObject... objects) {
        scheduler.handle(new Relist.Began(kind));
        for (KubernetesObject object : objects) {
            scheduler.handle(new ClusterEvent.Put(object));
        }
        scheduler.handle(new Relist.Ended(kind));
    }

    private Scheduler scheduler(Kind<Rack> kind) {
        return new Scheduler(
                OneProfile.only("OpenRacks"),
                new PluginRegistry(List.of(PluginFactory.of(
                        "OpenRacks", OpenRacks.class, context -> new OpenRacks(context.cluster(), kind)))),
                new FirstByName(),
                SchedulerSettings.of(0),
                command -> {},
                new SchedulerObserver() {
                    @Override
                    public void handled(String change, long nanos) {
                        handled.add(change);
                    }
                },
                () -> now);
    }
}
