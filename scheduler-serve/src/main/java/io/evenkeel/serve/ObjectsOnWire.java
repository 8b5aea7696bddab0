package io.evenkeel.serve;

import evenkeel.whatif.v1.ObjectName;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.read.ProtobufObject;
import io.evenkeel.model.read.ProtobufReader;
import io.evenkeel.whatif.ClusterSnapshot;

/** Reads the objects that a client sends, in either encoding, of the kinds that scheduling reads. One thread uses it at a time. */
final class ObjectsOnWire {
    private final ObjectReader json;
    private final ProtobufReader protobuf;
    private final Kinds kinds;

    /** @param reader of these kinds, which others may share */
    ObjectsOnWire(ObjectReader reader, Kinds kinds) {
        this.kinds = kinds;
        json = reader;
        protobuf = new ProtobufReader(kinds);
    }

    /** @throws StepException if it cannot be read, or is of another kind */
    KubernetesObject read(evenkeel.whatif.v1.KubernetesObject object, ClusterSnapshot cluster) {
        KubernetesObject read;
        try {
            read = switch (object.getEncodingCase()) {
                case JSON -> json.read(object.getJson());
                case PROTOBUF -> unpacked(object.getProtobuf().toByteArray());
                case POD ->
                    cluster.pod(object.getPod())
                            .orElseThrow(() -> new StepException("no pod " + object.getPod() + " is on a node"));
                case ENCODING_NOT_SET -> throw new StepException("an object is missing: json, protobuf or pod");
            };
        } catch (ObjectReadException unreadable) {
            throw new StepException(String.valueOf(unreadable.getMessage()));
        }
        if (read instanceof UnreadObject unread) {
            throw notRead(unread.kind());
        }
        return read;
    }

    private KubernetesObject unpacked(byte[] bytes) {
        return protobuf.read(ProtobufObject.of(bytes, 0, bytes.length));
    }

    Pod pod(evenkeel.whatif.v1.KubernetesObject object, ClusterSnapshot cluster) {
        if (read(object, cluster) instanceof Pod pod) {
            return pod;
        }
        throw new StepException("expected a Pod");
    }

    Node node(evenkeel.whatif.v1.KubernetesObject object, ClusterSnapshot cluster) {
        if (read(object, cluster) instanceof Node node) {
            return node;
        }
        throw new StepException("expected a Node");
    }

    /** An object of which nothing but the name is known. */
    KubernetesObject named(ObjectName name) {
        if (name.getKind().isEmpty()) {
            throw new StepException("the kind of what is deleted is missing");
        }
        Kind<?> kind = kinds.find(name.getKind(), name.getApiVersion()).orElseThrow(() -> notRead(name.getKind()));
        return kind.identity(kind.home(ObjectMeta.named(name.getNamespace(), name.getName())));
    }

    private static StepException notRead(String kind) {
        return new StepException("scheduling does not read objects of kind \"" + kind + "\"");
    }

    /** A step that cannot be done. The message is one line for the client. */
    static final class StepException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StepException(String message) {
            super(message);
        }
    }
}
