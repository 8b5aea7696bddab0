package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.evenkeel.model.kind.Kind;

/** A page of a list in protobuf. However its bytes come in, it is the same objects. */
class ProtobufPageFuzzTest {

    @FuzzTest
    @DictionaryEntries({"k8s\\x00", "ADDED", "BOOKMARK", "DELETED", "ERROR", "Pod", "v1"})
    void objectsComeWhateverTheBytesAre(byte[] bytes) throws Throwable {
        Draws draws = new Draws(bytes);
        Kind<?> kind = Reading.kind(draws);
        byte[] body = draws.rest();
        Cost.isAtMost(20_000, body.length, () -> check(kind, body));
    }

    private static void check(Kind<?> kind, byte[] body) {
        Reading whole = Reading.ofPage(kind, Answer.atOnce(Answer.PROTOBUF, body));

        whole.isSaneFor(body.length);
        assertThat(Reading.ofPage(kind, Answer.byteByByte(Answer.PROTOBUF, body)))
                .isEqualTo(whole);
    }
}
