package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names in files may steer a terminal or look like lines of ours: they are written so that neither comes of it. */
class HostileNamesTest {
    private static final String HOSTILE = "x\\u001b[31m\\u001b]0;title\\u0007\\n\\r\\u202eforged: line\\u2028";
    private static final String NODE = """
            {"kind":"Node","metadata":{"name":"n%1$s","labels":{"topology.kubernetes.io/zone":"z%1$s","kubernetes.io/hostname":\
            "h%1$s"}},"spec":{"taints":[{"key":"t%1$s","value":"v%1$s","effect":"NoSchedule"}]},\
            "status":{"allocatable":{"cpu":"1","pods":"9"}}}""".formatted(HOSTILE);
    private static final String POD = """
            {"kind":"Pod","metadata":{"name":"p%1$s","namespace":"s%1$s","labels":{"l%1$s":"w%1$s"}},"spec":{\
            "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"k%1$s","whenUnsatisfiable":"DoNotSchedule",\
            "labelSelector":{"matchLabels":{"l%1$s":"w%1$s"}}}],"containers":[{"name":"c","resources":{"requests":\
            {"r%1$s/x":"5"}}}]}}""".formatted(HOSTILE);

    @TempDir
    private Path folder;

    private String scenario() throws IOException {
        return file("""
                {"name":"scenario%s","objects":[%s],"pods":[%s]}
                """.formatted(HOSTILE, NODE, POD));
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("file.jsonl"), text).toString();
    }

    private static void isPlain(Typed typed) {
        assertThat((typed.out() + typed.err()).replace(System.lineSeparator(), "\n"))
                .contains("\\u001b[31m")
                .doesNotContainPattern("[\\p{Cc}\\u2028\\u202e&&[^\\n]]")
                .doesNotContainPattern("(?m)^forged");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "wide"})
    void ofWhy(String format) throws IOException {
        isPlain(Typed.evenkeel("why", "--scenario", scenario(), "-o", format));
    }

    @Test
    void ofReplay() throws IOException {
        isPlain(Typed.evenkeel("replay", scenario(), "-o", "text"));
    }

    @Test
    void ofSimulate() throws IOException {
        isPlain(Typed.evenkeel("simulate", "--dump", file(NODE + "\n" + POD)));
    }

    @Test
    void ofWhatIsTyped() {
        isPlain(Typed.evenkeel("why", "p", "--if", "uncordon\u001b[31m x"));
        isPlain(Typed.evenkeel("replay", "/nowhere\u001b[31m/file"));
    }

    @Test
    void aMistakeOfAHundredKilobytesIsCut() {
        String typed = "9".repeat(100_000);

        assertThat(Typed.evenkeel("why", "p", "--if", "maxSkew=" + typed).err()).hasSizeLessThan(500);
        assertThat(Typed.evenkeel("why", "--" + typed).err()).hasSizeLessThan(5_000);
    }
}
