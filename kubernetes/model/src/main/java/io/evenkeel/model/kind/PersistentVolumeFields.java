package io.evenkeel.model.kind;

import static io.evenkeel.model.PodVolume.Source.AWS_ELASTIC_BLOCK_STORE;
import static io.evenkeel.model.PodVolume.Source.AZURE_DISK;
import static io.evenkeel.model.PodVolume.Source.CINDER;
import static io.evenkeel.model.PodVolume.Source.GCE_PERSISTENT_DISK;
import static io.evenkeel.model.PodVolume.Source.PORTWORX_VOLUME;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Fields;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.kind.AffinityFields.NodeAffinityFields;
import io.evenkeel.model.kind.VolumeFields.Use;
import io.evenkeel.model.kind.VolumeFields.VolumeSourceFields;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolume.ClaimReference;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

final class PersistentVolumeFields {
    static final String STORAGE = "storage";
    private static final int SOURCE = 2;
    private static final String AVAILABLE = "Available";

    private record Spec(
            VolumeSource source,
            VolumeTerms terms,
            Quantity capacity,
            Optional<ClaimReference> claim,
            Optional<NodeSelector> nodes) {}

    private record Row(PodVolume.Source source, Field<Optional<Use>> field) {}

    private static final Message<VolumeSource> CSI = Message.of(fields -> {
        var driver = fields.string("driver", 1)
                .from((VolumeSource source) -> source instanceof VolumeSource.Csi csi ? csi.driver() : "");
        var volumeHandle = fields.uniqueString("volumeHandle", 2)
                .from((VolumeSource source) -> source instanceof VolumeSource.Csi csi ? csi.handle() : "");
        return read -> new VolumeSource.Csi(read.get(driver), read.get(volumeHandle));
    });

    private static final Message<ClaimReference> CLAIM = Message.of(fields -> {
        var namespace = fields.string("namespace", 2).from(ClaimReference::namespace);
        var name = fields.uniqueString("name", 3).from(ClaimReference::name);
        var uid = fields.uniqueString("uid", 4).from(ClaimReference::uid);
        return read -> new ClaimReference(read.get(namespace), read.get(name), read.get(uid));
    });

    private static final Message<Optional<NodeSelector>> NODES =
            Rows.only(fields -> fields.optional("required", 1, NodeAffinityFields.SELECTOR));

    private static final Message<Spec> SPEC = Message.of(fields -> {
        var capacity = fields.resources("capacity", 1).from(PersistentVolumeFields::capacity);
        var accessModes = fields.strings("accessModes", 3)
                .from((Spec spec) -> ClaimFields.sorted(spec.terms().accessModes()));
        var claimRef = fields.optional("claimRef", 4, CLAIM).from(Spec::claim);
        var storageClassName = fields.string("storageClassName", 6)
                .from((Spec spec) -> spec.terms().storageClass());
        var volumeMode = fields.string("volumeMode", 8, VolumeTerms.FILESYSTEM)
                .from((Spec spec) -> spec.terms().mode());
        var nodeAffinity =
                fields.message("nodeAffinity", 9, NODES, Optional.empty()).from(Spec::nodes);
        var attributesClass = fields.string("volumeAttributesClassName", 10)
                .from((Spec spec) -> spec.terms().attributesClass());
        fields.inlined(SOURCE);
        var csi = fields.optional("csi", 22, CSI)
                .from((Spec spec) -> Optional.of(spec.source()).filter(VolumeSource.Csi.class::isInstance));
        List<Row> migrated = List.of(
                row(fields, GCE_PERSISTENT_DISK, 1, VolumeSourceFields.GCE_DISK),
                row(fields, AWS_ELASTIC_BLOCK_STORE, 2, VolumeSourceFields.VOLUME_ID),
                row(fields, CINDER, 8, VolumeSourceFields.VOLUME_ID),
                row(fields, AZURE_DISK, 16, VolumeSourceFields.AZURE_DISK),
                row(fields, PORTWORX_VOLUME, 18, VolumeSourceFields.VOLUME_ID));
        return read -> new Spec(
                read.get(csi).orElseGet(() -> source(migrated, read)),
                new VolumeTerms(
                        read.get(storageClassName),
                        Set.copyOf(read.get(accessModes)),
                        read.get(volumeMode),
                        read.get(attributesClass)),
                read.get(capacity).getOrDefault(STORAGE, Quantity.ZERO),
                read.get(claimRef),
                read.get(nodeAffinity));
    });

    private static final Spec NO_SPEC =
            new Spec(VolumeSource.OTHER, VolumeTerms.NONE, Quantity.ZERO, Optional.empty(), Optional.empty());

    /** The part of a status that is read; claims have it too. */
    static final Message<String> PHASE = Rows.only(fields -> fields.string("phase", 1));

    static final Message<PersistentVolume> VOLUME = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, SPEC, NO_SPEC).from(PersistentVolumeFields::spec);
        var phase = fields.message("status", 3, PHASE, "")
                .from((PersistentVolume volume) -> volume.isAvailable() ? AVAILABLE : "");
        return read -> volume(read.get(Metadata.FIELD), read.get(spec), read.get(phase));
    });

    private PersistentVolumeFields() {}

    private static Map<String, Quantity> capacity(Spec spec) {
        return spec.capacity().signum() == 0 ? Map.of() : Map.of(STORAGE, spec.capacity());
    }

    private static Spec spec(PersistentVolume volume) {
        return new Spec(volume.source(), volume.terms(), volume.capacity(), volume.claim(), volume.nodes());
    }

    private static Optional<Use> use(PodVolume.Source plugin, VolumeSource source) {
        return source instanceof VolumeSource.Migrated migrated && migrated.plugin() == plugin
                ? Optional.of(Use.of(migrated.id()))
                : Optional.empty();
    }

    private static PersistentVolume volume(ObjectMeta meta, Spec spec, String phase) {
        return new PersistentVolume(
                meta,
                spec.source(),
                withClassOf(meta, spec.terms()),
                spec.capacity(),
                spec.claim(),
                spec.nodes(),
                phase.equals(AVAILABLE));
    }

    /** The storage class may still stand in an annotation. */
    static VolumeTerms withClassOf(ObjectMeta meta, VolumeTerms terms) {
        String written = meta.annotations().getOrDefault(Annotations.STORAGE_CLASS, terms.storageClass());
        return written.equals(terms.storageClass())
                ? terms
                : new VolumeTerms(written, terms.accessModes(), terms.mode(), terms.attributesClass());
    }

    private static VolumeSource source(List<Row> migrated, Values read) {
        for (Row row : migrated) {
            Optional<Use> use = read.get(row.field());
            if (use.isPresent()) {
                return new VolumeSource.Migrated(row.source(), use.get().id());
            }
        }
        return VolumeSource.OTHER;
    }

    private static Row row(Fields fields, PodVolume.Source source, int number, Message<Use> table) {
        return new Row(
                source,
                fields.optional(source.fieldName(), number, table).from((Spec spec) -> use(source, spec.source())));
    }
}
