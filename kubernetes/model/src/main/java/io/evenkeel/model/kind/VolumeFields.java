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

    /** The volume that is used, and how. */
    record Use(String id, List<String> monitors, boolean readOnly) {
        static final Use NOTHING_READ = new Use("", List.of(), false);

        static Use of(String id) {
            return new Use(id, List.of(), false);
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
                fields.optional(source.fieldName(), number, table)
                        .from((Optional<Volume> one) -> one.flatMap(volume -> volume.use(source))));
    }

    /** The sources of pods' volumes and persistent ones, where that matters. */
    static final class VolumeSourceFields {
        /** Between an image and its pool: of several, whichever is taken, both together are the same. */
        private static final char SLASH = '/';

        /** Disks of Azure can be of kinds that no CSI driver has. */
        private static final String MANAGED = "Managed";

        static final Message<Use> CLAIM = byId("claimName");

        /** Of AWS, of Cinder and of Portworx. */
        static final Message<Use> VOLUME_ID = byId("volumeID");

        static final Message<Use> GCE_DISK = byId("pdName", 1, 4);
        static final Message<Use> ISCSI = byId("iqn", 2, 6);

        static final Message<Use> AZURE_DISK = Message.of(fields -> {
            var diskUri = fields.string("diskURI", 2).from(Use::id);
            var kind = fields.string("kind", 6, MANAGED).from((Use _) -> MANAGED);
            return read -> new Use(read.get(kind).equalsIgnoreCase(MANAGED) ? read.get(diskUri) : "", List.of(), false);
        });

        static final Message<Use> RBD = Message.of(fields -> {
            var monitors = fields.strings("monitors", 1).from(Use::monitors);
            var image = fields.string("image", 2)
                    .from((Use use) -> use.id().substring(use.id().indexOf(SLASH) + 1));
            var pool = fields.string("pool", 4)
                    .from((Use use) ->
                            use.id().substring(0, Math.max(0, use.id().indexOf(SLASH))));
            var readOnly = fields.bool("readOnly", 8, false).from(Use::readOnly);
            return read -> new Use(read.get(pool) + SLASH + read.get(image), read.get(monitors), read.get(readOnly));
        });

        /** That it is there is all that counts. */
        static final Message<Use> THERE = Message.of(_ -> _ -> Use.NOTHING_READ);

        private VolumeSourceFields() {}

        private static Message<Use> byId(String field) {
            return Message.of(fields -> {
                var id = fields.string(field, 1).from(Use::id);
                return read -> Use.of(read.get(id));
            });
        }

        private static Message<Use> byId(String field, int number, int numberOfReadOnly) {
            return Message.of(fields -> {
                var id = fields.string(field, number).from(Use::id);
                var readOnly = fields.bool("readOnly", numberOfReadOnly, false).from(Use::readOnly);
                return read -> new Use(read.get(id), List.of(), read.get(readOnly));
            });
        }
    }
}
