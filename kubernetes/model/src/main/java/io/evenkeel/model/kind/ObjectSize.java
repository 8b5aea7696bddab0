package io.evenkeel.model.kind;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.Encoder;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.TableWriter;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How large an object is, of which its writer decides: about as many bytes as an API server has it in, in protobuf. What is
 * read of it is gone through by its table, so that no field can be left out.
 */
public final class ObjectSize {
    private static final Map<String, Kind<?>> KINDS =
            Kinds.IN_TREE.all().stream().collect(Collectors.toMap(Kind::name, kind -> kind));

    private ObjectSize() {}

    /** None of a kind that a plugin brings: its table need not say where values are found. */
    public static int of(KubernetesObject object) {
        Kind<?> kind = KINDS.get(object.kindName());
        return kind != null && kind.type().isInstance(object) ? of(table(kind), object) : 0;
    }

    @SuppressWarnings("unchecked") // the object is of the kind's own type
    private static Message<KubernetesObject> table(Kind<?> kind) {
        return (Message<KubernetesObject>) kind.table();
    }

    public static int ofSpec(Pod pod) {
        return of(PodSpecFields.SPEC, pod.spec());
    }

    private static <T> int of(Message<T> table, T value) {
        Count count = new Count();
        TableWriter.writeFields(table, value, count);
        return count.bytes;
    }

    private static final class Count implements Encoder {
        private static final int OF_FIELD = 2;

        private int bytes;

        @Override
        public void field(String name, int number) {
            bytes += OF_FIELD;
        }

        @Override
        public void string(String value) {
            bytes += value.length();
        }

        @Override
        public void integer(long value) {
            bytes += 1;
        }

        @Override
        public void bool(boolean value) {
            bytes += 1;
        }

        @Override
        public void entry(String key) {
            bytes += 2 * OF_FIELD + key.length();
        }

        @Override
        public void beginMessage() {
            bytes += OF_FIELD;
        }

        @Override
        public void endMessage() {}

        @Override
        public void beginInlined(int number) {
            bytes += OF_FIELD;
        }
    }
}
