package io.evenkeel.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;

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
        Reading.isTheSameInPieces(bytes, Answer.JSON, Reading::ofFrames);
    }
}
