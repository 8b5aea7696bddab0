package io.evenkeel.lab.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.bench.suite.StoredSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The drawings in docs/plots are those of the figures beside them: of {@code NAME.json}, compared with {@code NAME-before.json} where
 * that is there.
 */
class DocumentedPlotsTest {
    private static final Path PLOTS = Path.of("../docs/plots");
    private static final String BEFORE = "-before";
    private static final String FIGURES = ".json";
    private static final String DRAWING = ".svg";

    @Test
    void eachDrawingIsWhatIsDrawnOfTheFiguresBesideIt() throws IOException {
        TreeMap<String, String> drawn = new TreeMap<>();
        for (Path file : files(FIGURES)) {
            String name = file.getFileName().toString().replace(FIGURES, "");
            if (!name.endsWith(BEFORE)) {
                Path before = PLOTS.resolve(name + BEFORE + FIGURES);
                Optional<StoredSuite> then = Files.exists(before) ? Optional.of(Plots.read(before)) : Optional.empty();
                Plots.of(Plots.read(file), then).forEach(plot -> drawn.put(plot.name(), plot.svg()));
            }
        }

        assertThat(files(DRAWING))
                .isNotEmpty()
                .extracting(file -> file.getFileName().toString())
                .containsExactlyElementsOf(drawn.keySet());
        for (Path file : files(DRAWING)) {
            assertThat(file)
                    .as("%s, which 'evenkeel bench --plot' draws anew (docs/benchmarks.md, Plots)", file)
                    .hasContent(drawn.get(file.getFileName().toString()));
        }
    }

    @Test
    void eachDrawingIsShown() throws IOException {
        String document = Files.readString(Path.of("../docs/benchmarks.md"));

        assertThat(files(DRAWING))
                .allSatisfy(file -> assertThat(document).contains("](plots/" + file.getFileName() + ")"));
    }

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.list(PLOTS)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }
}
