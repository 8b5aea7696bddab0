package io.evenkeel.model.kind;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Quantity;
import java.util.Optional;
import java.util.Set;

/** PersistentVolumeClaims. */
final class ClaimFields {
    private static final String LOST = "Lost";

    private record Spec(
            VolumeTerms terms, Optional<Quantity> size, Optional<LabelSelector> selector, String volumeName) {}

    private static final Message<Optional<Quantity>> RESOURCES = Message.of(fields -> {
        var requests = fields.resources("requests", 2);
        return read -> Optional.ofNullable(read.get(requests).get(PersistentVolumeFields.STORAGE));
    });

    private static final Message<Spec> SPEC = Message.of(fields -> {
        var accessModes = fields.strings("accessModes", 1);
        var size = fields.message("resources", 2, RESOURCES, Optional.empty());
        var volumeName = fields.uniqueString("volumeName", 3);
        var selector = fields.optional("selector", 4, SelectorFields.SELECTOR);
        var storageClassName = fields.string("storageClassName", 5);
        var volumeMode = fields.string("volumeMode", 6, VolumeTerms.FILESYSTEM);
        var attributesClass = fields.string("volumeAttributesClassName", 9);
        return read -> new Spec(
                new VolumeTerms(
                        read.get(storageClassName),
                        Set.copyOf(read.get(accessModes)),
                        read.get(volumeMode),
                        read.get(attributesClass)),
                read.get(size),
                read.get(selector),
                read.get(volumeName));
    });

    private static final Spec NO_SPEC = new Spec(VolumeTerms.NONE, Optional.empty(), Optional.empty(), "");

    static final Message<PersistentVolumeClaim> CLAIM = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, SPEC, NO_SPEC);
        var phase = fields.message("status", 3, PersistentVolumeFields.PHASE, "");
        return read -> claim(read.get(Metadata.FIELD), read.get(spec), read.get(phase));
    });

    private ClaimFields() {}

    private static PersistentVolumeClaim claim(ObjectMeta meta, Spec spec, String phase) {
        return new PersistentVolumeClaim(
                meta,
                PersistentVolumeFields.withClassOf(meta, spec.terms()),
                spec.size(),
                spec.selector(),
                spec.volumeName(),
                phase.equals(LOST));
    }
}
