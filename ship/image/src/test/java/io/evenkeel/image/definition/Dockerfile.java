package io.evenkeel.image.definition;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The last stage of a Dockerfile, as far as this one uses the language. */
final class Dockerfile {
    private static final Pattern LABEL = Pattern.compile("([\\w.]+)=\"([^\"]*)\"");

    private final List<String> lines;
    private final List<String> instructions;

    Dockerfile(Path file) throws IOException {
        String joined = Files.readString(file).replaceAll("(?m)^#.*\n", "").replaceAll("\\\\\n", " ");
        lines = joined.lines().filter(line -> !line.isBlank()).toList();
        int last = lines.stream()
                .filter(line -> line.startsWith("FROM "))
                .map(lines::lastIndexOf)
                .reduce(0, Math::max);
        instructions = lines.subList(last, lines.size());
    }

    ImageDefinition definition() {
        return new ImageDefinition(
                defaulted(only("FROM")),
                JsonParser.parseString(only("ENTRYPOINT")).getAsJsonArray().asList().stream()
                        .map(argument -> argument.getAsString())
                        .toList(),
                only("USER"),
                only("WORKDIR"),
                Set.copyOf(all("EXPOSE")),
                labels(),
                all("COPY").stream().map(Dockerfile::layer).toList());
    }

    private Map<String, String> labels() {
        return LABEL.matcher(only("LABEL"))
                .results()
                .collect(Collectors.toMap(label -> label.group(1), label -> label.group(2)));
    }

    /** What stands for {@code $BASE} unless a build says otherwise. */
    private String defaulted(String base) {
        String argument = "ARG " + base.replaceFirst("^\\$", "") + "=";
        return lines.stream()
                .filter(line -> line.startsWith(argument))
                .map(line -> line.substring(argument.length()))
                .findFirst()
                .orElse(base);
    }

    private String only(String instruction) {
        List<String> found = all(instruction);
        if (found.size() != 1) {
            throw new IllegalStateException("the Dockerfile's last stage has " + found.size() + " of " + instruction);
        }
        return found.getFirst();
    }

    private List<String> all(String instruction) {
        return instructions.stream()
                .filter(line -> line.startsWith(instruction + " "))
                .map(line -> line.substring(instruction.length() + 1).strip())
                .toList();
    }

    /** One that is not of the tree stays as it is written, and is like none of Jib's. */
    private static String layer(String copy) {
        return copy.replaceFirst("^--from=build /src/ship/image/target/(\\S+)/ ", "$1 → ");
    }
}
