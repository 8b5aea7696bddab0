package io.evenkeel.model.kind;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

final class ClaimFields {
    private static final String LOST = "Lost";

    private record Spec(
            VolumeTerms terms, Optional<Quantity> size, Optional<LabelSelector> selector, String volumeName) {}

    private static final Message<Optional<Quantity>> RESOURCES = Message.of(fields -> {
        var requests = fields.resources("requests", 2).from(ClaimFields::requests);
        return read -> Optional.ofNullable(read.get(requests).get(PersistentVolumeFields.STORAGE));
    });

    private static final Message<Spec> SPEC = Message.of(fields -> {
        var accessModes = fields.strings("accessModes", 1)
                .from((Spec spec) -> sorted(spec.terms().accessModes()));
        var size = fields.message("resources", 2, RESOURCES, Optional.empty()).from(Spec::size);
        var volumeName = fields.uniqueString("volumeName", 3).from(Spec::volumeName);
        var selector = fields.optional("selector", 4, SelectorFields.SELECTOR).from(Spec::selector);
        var storageClassName = fields.string("storageClassName", 5)
                .from((Spec spec) -> spec.terms().storageClass());
        var volumeMode = fields.string("volumeMode", 6, VolumeTerms.FILESYSTEM)
                .from((Spec spec) -> spec.terms().mode());
        var attributesClass = fields.string("volumeAttributesClassName", 9)
                .from((Spec spec) -> spec.terms().attributesClass());
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
        var spec = fields.message("spec", 2, SPEC, NO_SPEC).from(ClaimFields::spec);
        var phase = fields.message("status", 3, PersistentVolumeFields.PHASE, "")
                .from((PersistentVolumeClaim claim) -> claim.isLost() ? LOST : "");
        return read -> claim(read.get(Metadata.FIELD), read.get(spec), read.get(phase));
    });

    private ClaimFields() {}

    private static Map<String, Quantity> requests(Optional<Quantity> size) {
        return size.map(amount -> Map.of(PersistentVolumeFields.STORAGE, amount))
                .orElse(Map.of());
    }

    static List<String> sorted(Set<String> accessModes) {
        return accessModes.stream().sorted().toList();
    }

    private static Spec spec(PersistentVolumeClaim claim) {
        return new Spec(claim.terms(), claim.size(), claim.selector(), claim.volumeName());
    }

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
