package io.evenkeel.model.kind;

import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.TableWriter;
import io.evenkeel.model.encode.Encoder;

/**
 * How large a pod's {@code spec} is, of which its writer decides. What is read of it is gone through by its table, so that no
 * field can be left out.
 */
public final class PodSize {
    private PodSize() {}

    /** About as many bytes as an API server has it in, in protobuf. */
    public static int of(Pod pod) {
        Count count = new Count();
        TableWriter.writeFields(PodSpecFields.SPEC, pod.spec(), count);
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
        public void quantity(String value) {
            bytes += value.length();
        }

        @Override
        public void time(String value) {
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
        public void beginList() {}

        @Override
        public void endList() {}

        @Override
        public void beginMap() {}

        @Override
        public void entry(String key) {
            bytes += 2 * OF_FIELD + key.length();
        }

        @Override
        public void endEntry() {}

        @Override
        public void endMap() {}

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

        @Override
        public void endInlined() {}
    }
}
