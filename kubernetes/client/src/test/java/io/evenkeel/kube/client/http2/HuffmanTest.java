package io.evenkeel.kube.client.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.client.http2.ResponseHeaders.Huffman;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import okio.Buffer;
import okio.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HuffmanTest {

    /** Of RFC 7541, C.4 and C.6. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "f1e3c2e5f23a6ba0ab90f4ff, www.example.com",
                "a8eb10649cbf, no-cache",
                "25a849e95ba97d7f, custom-key",
                "25a849e95bb8e8b4bf, custom-value",
                "6402, 302",
                "aec3771a4b, private",
                "d07abe941054d444a8200595040b8166e082a62d1bff, \"Mon, 21 Oct 2013 20:13:21 GMT\"",
                "9d29ad171863c78f0b97c8e9ae82ae43d3, https://www.example.com",
                "640eff, 307",
            })
    void theExamplesOfTheRfcAreRead(String coded, String text) throws BrokenConnectionException {
        byte[] bytes = HexFormat.of().parseHex(coded);

        assertThat(Huffman.decode(bytes, 0, bytes.length)).isEqualTo(text);
    }

    @Test
    void whatAnotherProgramCodesIsReadForEveryByteAndManyTexts() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 5_000; i++) {
            byte[] text = new byte[i < 256 ? 1 : random.nextInt(60)];
            random.nextBytes(text);
            if (i < 256) {
                text[0] = (byte) i;
            }
            Buffer coded = new Buffer().writeByte('x');
            okhttp3.internal.http2.Huffman.INSTANCE.encode(ByteString.of(text), coded);
            int length = (int) coded.size() - 1;
            byte[] bytes = coded.writeByte('x').readByteArray();

            assertThat(Huffman.decode(bytes, 1, length)).isEqualTo(new String(text, StandardCharsets.ISO_8859_1));
        }
    }

    /** A whole byte of padding, zeros for padding, the code of the end, and what breaks off in a code. */
    @ParameterizedTest
    @ValueSource(strings = {"6402ff", "1a", "fffffffc", "ff", "fffffffff0", "fe"})
    void whatIsNoCodeIsRefused(String coded) {
        byte[] bytes = HexFormat.of().parseHex(coded);

        assertThatThrownBy(() -> Huffman.decode(bytes, 0, bytes.length)).isInstanceOf(BrokenConnectionException.class);
    }
}
