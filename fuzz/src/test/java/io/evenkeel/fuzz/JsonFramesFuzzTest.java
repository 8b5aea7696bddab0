package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.evenkeel.model.kind.Kind;

/** A watch in JSON. However its bytes come in, it is the same events. */
class JsonFramesFuzzTest {

    @FuzzTest
    @DictionaryEntries({
        "ADDED",
        "BOOKMARK",
        "DELETED",
        "ERROR",
        "object",
        "metadata",
        "resourceVersion",
        "items",
        "kind",
        "List",
        "\\x0a",
        "\\x00"
    })
    void eventsComeWhateverTheBytesAre(byte[] bytes) throws Throwable {
        Draws draws = new Draws(bytes);
        Kind<?> kind = Reading.kind(draws);
        byte[] body = draws.rest();
        Cost.isAtMost(20_000, body.length, () -> check(kind, body));
    }

    private static void check(Kind<?> kind, byte[] body) {
        Reading whole = Reading.ofFrames(kind, Answer.atOnce(Answer.JSON, body));

        whole.isSaneFor(body.length);
        assertThat(Reading.ofFrames(kind, Answer.byteByByte(Answer.JSON, body))).isEqualTo(whole);
    }
}
