package io.evenkeel.config.file;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Line and column for errors that are found after reading, when plugins are checked. */
public final class ErrorPlaces {
    private static final Pattern PATH_AND_MESSAGE = Pattern.compile("(\\S+): (.*)", Pattern.DOTALL);

    private ErrorPlaces() {}

    /**
     * The errors as {@link ConfigurationReader} writes its own, with line and column, in the order of the file.
     *
     * @param errors each the path of a field, a colon and the message; a list's element may stand in the path by its name,
     *     as in {@code profiles[0].plugins.score.enabled[NodeAffinity].name}
     */
    public static List<String> in(String sourceName, String text, List<String> errors) {
        ErrorLog placed = new ErrorLog(sourceName);
        Optional<Cursor> document = YamlText.parse(text, placed);
        for (String error : errors) {
            Matcher parts = PATH_AND_MESSAGE.matcher(error);
            document.ifPresent(root -> {
                if (parts.matches()) {
                    root.errorAt(parts.group(1), parts.group(2));
                } else {
                    root.error(error);
                }
            });
        }
        return placed.lines();
    }
}
