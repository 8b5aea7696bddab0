package io.evenkeel.model.kind;

import static io.evenkeel.model.PodVolume.Source.AWS_ELASTIC_BLOCK_STORE;
import static io.evenkeel.model.PodVolume.Source.AZURE_DISK;
import static io.evenkeel.model.PodVolume.Source.AZURE_FILE;
import static io.evenkeel.model.PodVolume.Source.CINDER;
import static io.evenkeel.model.PodVolume.Source.EPHEMERAL;
import static io.evenkeel.model.PodVolume.Source.GCE_PERSISTENT_DISK;
import static io.evenkeel.model.PodVolume.Source.ISCSI;
import static io.evenkeel.model.PodVolume.Source.PERSISTENT_VOLUME_CLAIM;
import static io.evenkeel.model.PodVolume.Source.PORTWORX_VOLUME;
import static io.evenkeel.model.PodVolume.Source.RBD;
import static io.evenkeel.model.PodVolume.Source.VSPHERE_VOLUME;

import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Fields;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Values;
import java.util.List;
import java.util.Optional;

/**
 * What counts of a pod's volumes: which source they have, not the claims they name, which differ from pod to pod of a
 * StatefulSet. Nothing counts of volumes with other sources, such as those of tokens, whose very names differ.
 */
final class VolumeFields {
    /** A volume with a source that counts, or with an image. */
    record Volume(Optional<PodVolume> volume, String image) {
        static List<PodVolume> counting(List<Volume> volumes) {
            return volumes.isEmpty()
                    ? List.of()
                    : volumes.stream()
                            .map(Volume::volume)
                            .flatMap(Optional::stream)
                            .toList();
        }

        static List<String> images(List<Volume> volumes) {
            return volumes.isEmpty()
                    ? List.of()
                    : volumes.stream()
                            .map(Volume::image)
                            .filter(image -> !image.isEmpty())
                            .toList();
        }
    }

    private record Row(Source source, Field<Boolean> field) {}

    private static final int SOURCE = 2;

    private static final Message<String> IMAGE = Message.of(fields -> {
        var reference = fields.string("reference", 1);
        return read -> read.get(reference);
    });

    static final Message<Optional<Volume>> VOLUME = Message.<Optional<Volume>>of(fields -> {
                var name = fields.string("name", 1);
                fields.inlined(SOURCE);
                // a volume has one source; of several, which the API server refuses, it is the first of these
                List<Row> sources = List.of(
                        row(fields, PERSISTENT_VOLUME_CLAIM, 10),
                        row(fields, EPHEMERAL, 29),
                        row(fields, GCE_PERSISTENT_DISK, 3),
                        row(fields, AWS_ELASTIC_BLOCK_STORE, 4),
                        row(fields, AZURE_DISK, 22),
                        row(fields, AZURE_FILE, 18),
                        row(fields, CINDER, 13),
                        row(fields, VSPHERE_VOLUME, 20),
                        row(fields, PORTWORX_VOLUME, 24),
                        row(fields, ISCSI, 8),
                        row(fields, RBD, 11));
                var image = fields.message("image", 30, IMAGE, "");
                return read -> {
                    Optional<Source> source = first(sources, read);
                    return source.isPresent() || !read.get(image).isEmpty()
                            ? Optional.of(new Volume(
                                    source.map(found -> new PodVolume(read.get(name), found)), read.get(image)))
                            : Optional.empty();
                };
            })
            .nothingWithoutInlined();

    private VolumeFields() {}

    private static Optional<Source> first(List<Row> sources, Values read) {
        for (Row row : sources) {
            if (read.get(row.field())) {
                return Optional.of(row.source());
            }
        }
        return Optional.empty();
    }

    private static Row row(Fields fields, Source source, int number) {
        return new Row(source, fields.given(source.field(), number));
    }
}
