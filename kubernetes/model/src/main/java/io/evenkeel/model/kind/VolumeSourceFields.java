package io.evenkeel.model.kind;

import io.evenkeel.model.decode.Message;
import java.util.List;

/** The sources of pods' volumes and persistent ones, where that matters. */
final class VolumeSourceFields {
    /** The volume that is used, and how. */
    record Use(String id, List<String> monitors, boolean readOnly) {
        static final Use NOTHING_READ = new Use("", List.of(), false);

        static Use of(String id) {
            return new Use(id, List.of(), false);
        }
    }

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
                .from((Use use) -> use.id().substring(0, Math.max(0, use.id().indexOf(SLASH))));
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
