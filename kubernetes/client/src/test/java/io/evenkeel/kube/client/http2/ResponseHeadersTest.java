package io.evenkeel.kube.client.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseHeadersTest {
    private static final List<String> NAMES = List.of(
            "content-type",
            "location",
            "retry-after",
            "date",
            "audit-id",
            "cache-control",
            "x-kubernetes-pf-flowschema-uid");

    private static Map<String, String> read(String hex) throws BrokenConnectionException {
        return ResponseHeaders.read(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    /** The first of C.5 and of C.6, which need no table. */
    @Test
    void theExamplesOfTheRfcAreRead() throws BrokenConnectionException {
        Map<String, String> expected = Map.of(":status", "302", "location", "https://www.example.com");

        assertThat(
                        read(
                                "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133"
                                        + "2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d"))
                .isEqualTo(expected);
        assertThat(read("4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6"
                        + "2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3"))
                .isEqualTo(expected);
    }

    /** C.2: literals that are put into a table, or not, or never. */
    @Test
    void literalsOfAllKindsAreRead() throws BrokenConnectionException {
        String name = "0b" + HexFormat.of().formatHex("retry-after".getBytes(StandardCharsets.US_ASCII));
        for (String kind : List.of("40", "00", "10")) {
            assertThat(read(kind + name + "0137")).isEqualTo(Map.of("retry-after", "7"));
        }
        for (String byIndex : List.of("75", "0f26", "1f26")) {
            assertThat(read(byIndex + "0137")).isEqualTo(Map.of("retry-after", "7"));
        }
    }

    @ParameterizedTest
    @CsvSource({"88, 200", "89, 204", "8a, 206", "8b, 304", "8c, 400", "8d, 404", "8e, 500"})
    void aStatusMayBeOneByteAfterTheSizeOfATable(String coded, String status) throws BrokenConnectionException {
        assertThat(read("20" + coded)).isEqualTo(Map.of(":status", status));
        assertThat(read("3fe11f" + coded)).isEqualTo(Map.of(":status", status));
    }

    @Test
    void whatAnotherProgramWritesIsRead() throws BrokenConnectionException {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            Map<String, String> expected = new HashMap<>(Map.of(":status", "" + (200 + random.nextInt(400))));
            StringBuilder sent = new StringBuilder(":status\n" + expected.get(":status"));
            for (String name : NAMES) {
                if (random.nextBoolean()) {
                    String value = "v".repeat(random.nextInt(300)) + random.nextInt();
                    sent.append('\n').append(name).append('\n').append(value);
                    if (ResponseHeaders.KEPT.contains(name)) {
                        expected.put(name, value);
                    }
                }
            }
            assertThat(ResponseHeaders.read(ServerFrames.block(sent.toString().split("\n"))))
                    .as("seed " + seed)
                    .isEqualTo(expected);
        }
    }

    /** Of tables that there are not, texts longer than the block, and numbers without an end or larger than an int. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "be",
                "ff00",
                "7e0131",
                "48",
                "48 03 33",
                "48 7f ff ff ff 7f",
                "48 7f ff ff ff ff 0f 33",
                "48 ff 80 80 80 80 80 80 00",
                "ff ff ff ff ff ff ff ff",
                "00 7f ff ff",
                "00 01 61 05 62"
            })
    void whatIsNoBlockOfHeadersIsRefused(String hex) {
        assertThatThrownBy(() -> read(hex)).isInstanceOf(BrokenConnectionException.class);
    }
}
