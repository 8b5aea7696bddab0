package io.evenkeel.plugins.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Each case of kube-scheduler's allocator has a test of ours, or a reason why it has none. */
class AllocatorCasesTest {
    private static List<String> lines() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                AllocatorCasesTest.class.getResourceAsStream("allocator-cases.txt"), "allocator-cases.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    @Test
    void theTestsThatTheTableNamesAreThere() throws Exception {
        List<String> cases = new ArrayList<>();
        for (String line : lines()) {
            if (line.startsWith("  ")) {
                cases.addAll(List.of(line.strip().split(" ")));
            } else if (!line.startsWith("none: ")) {
                String[] test = line.split("\\.");
                assertThat(Class.forName(AllocatorCasesTest.class.getPackageName() + "." + test[0])
                                .getDeclaredMethod(test[1])
                                .isAnnotationPresent(Test.class))
                        .as(line)
                        .isTrue();
            }
        }
        assertThat(cases).hasSizeGreaterThan(200).doesNotHaveDuplicates();
    }
}
