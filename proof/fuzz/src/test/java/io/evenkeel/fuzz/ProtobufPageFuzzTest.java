package io.evenkeel.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** A page of a list in protobuf. However its bytes come in, it is the same objects. */
class ProtobufPageFuzzTest {

    @FuzzTest
    @DictionaryEntries({"k8s\\x00", "ADDED", "BOOKMARK", "DELETED", "ERROR", "Pod", "v1"})
    void objectsComeWhateverTheBytesAre(byte[] bytes) throws Throwable {
        Reading.isTheSameInPieces(bytes, Answer.PROTOBUF, Reading::ofPage);
    }
}
