package io.evenkeel.kube.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import org.junit.jupiter.api.Test;

class NoAnswerTest {
    @Test
    void whatHasNoWordsIsGivenSome() {
        assertThat(NoAnswer.why(new IOException("no route"))).isEqualTo("no route");
        assertThat(NoAnswer.why(new EOFException())).isEqualTo("the connection was closed");
        assertThat(NoAnswer.why(new ProtocolException())).isEqualTo("ProtocolException");
    }
}
