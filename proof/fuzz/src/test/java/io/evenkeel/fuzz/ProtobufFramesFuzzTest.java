package io.evenkeel.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** A watch in protobuf. However its bytes come in, it is the same events. */
class ProtobufFramesFuzzTest {

    @FuzzTest
    @DictionaryEntries({"k8s\\x00", "ADDED", "BOOKMARK", "DELETED", "ERROR", "Pod", "v1"})
    void eventsComeWhateverTheBytesAre(byte[] bytes) throws Throwable {
        Reading.isTheSameInPieces(bytes, Answer.PROTOBUF, Reading::ofFrames);
    }
}
