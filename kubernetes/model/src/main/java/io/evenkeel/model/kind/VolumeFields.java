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

import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Fields;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.kind.VolumeSourceFields.Use;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The part of a pod's volumes that counts: their claims or disks. Nothing counts of volumes with other sources, such as those
 * of tokens, whose very names differ.
 */
final class VolumeFields {
    /** A volume with a source that counts, or with an image. */
    record Volume(Optional<PodVolume> volume, String image) {
        /** That a pod has, those with an image after the others. */
        static List<Volume> all(PodSpec spec) {
            return Stream.concat(
                            spec.volumes().stream().map(volume -> new Volume(Optional.of(volume), "")),
                            spec.imageVolumes().stream().map(image -> new Volume(Optional.empty(), image)))
                    .toList();
        }

        Optional<Use> use(Source source) {
            return volume.filter(one -> one.source() == source)
                    .map(one -> new Use(one.id(), one.monitors(), one.readOnly()));
        }

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

    private record Row(Source source, Field<Optional<Use>> field) {
        PodVolume volume(String name, Use use) {
            return new PodVolume(name, source, use.id(), use.monitors(), use.readOnly());
        }
    }

    private static final int SOURCE = 2;

    private static final Message<String> IMAGE = Rows.only(fields -> fields.string("reference", 1));

    static final Message<Optional<Volume>> VOLUME = Message.<Optional<Volume>>of(fields -> {
                var name = fields.string("name", 1)
                        .from((Optional<Volume> one) ->
                                one.flatMap(Volume::volume).map(PodVolume::name).orElse(""));
                fields.inlined(SOURCE);
                // a volume has one source; of several, which the API server refuses, it is the first of these
                List<Row> sources = List.of(
                        row(fields, PERSISTENT_VOLUME_CLAIM, 10, VolumeSourceFields.CLAIM),
                        row(fields, EPHEMERAL, 29, VolumeSourceFields.THERE),
                        row(fields, GCE_PERSISTENT_DISK, 3, VolumeSourceFields.GCE_DISK),
                        row(fields, AWS_ELASTIC_BLOCK_STORE, 4, VolumeSourceFields.VOLUME_ID),
                        row(fields, AZURE_DISK, 22, VolumeSourceFields.AZURE_DISK),
                        row(fields, AZURE_FILE, 18, VolumeSourceFields.THERE),
                        row(fields, CINDER, 13, VolumeSourceFields.VOLUME_ID),
                        row(fields, VSPHERE_VOLUME, 20, VolumeSourceFields.THERE),
                        row(fields, PORTWORX_VOLUME, 24, VolumeSourceFields.VOLUME_ID),
                        row(fields, ISCSI, 8, VolumeSourceFields.ISCSI),
                        row(fields, RBD, 11, VolumeSourceFields.RBD));
                var image = fields.message("image", 30, IMAGE, "")
                        .from((Optional<Volume> one) -> one.map(Volume::image).orElse(""));
                return read -> {
                    Optional<PodVolume> volume = first(sources, read.get(name), read);
                    return volume.isPresent() || !read.get(image).isEmpty()
                            ? Optional.of(new Volume(volume, read.get(image)))
                            : Optional.empty();
                };
            })
            .nothingWithoutInlined();

    private VolumeFields() {}

    private static Optional<PodVolume> first(List<Row> sources, String name, Values read) {
        for (Row row : sources) {
            Optional<Use> use = read.get(row.field());
            if (use.isPresent()) {
                return Optional.of(row.volume(name, use.get()));
            }
        }
        return Optional.empty();
    }

    private static Row row(Fields fields, Source source, int number, Message<Use> table) {
        return new Row(
                source,
                fields.optional(source.field(), number, table)
                        .from((Optional<Volume> one) -> one.flatMap(volume -> volume.use(source))));
    }
}
