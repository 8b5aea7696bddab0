package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.demo.Demo.Story;
import io.evenkeel.lab.demo.Page.Palette;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README's picture of a terminal shows a story as the demo prints it. */
class DemoPictureTest {
    private static final Path PICTURE = Path.of("../docs/images/demo.svg");
    private static final Story STORY = AnswerStories.WaitingPod.STORY;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int WIDTH = 80;

    /** With {@code -Devenkeel.demo.picture=write} it writes the picture again. */
    @Test
    void showsWhatTheDemoPrints() throws IOException, InterruptedException {
        String picture = Terminal.drawn(excerpt(told()));
        if (System.getProperty("evenkeel.demo.picture", "").equals("write")) {
            Files.createDirectories(PICTURE.getParent());
            Files.writeString(PICTURE, picture);
        }
        assertThat(Files.readString(PICTURE))
                .as("docs/images/demo.svg; write it again with -Devenkeel.demo.picture=write")
                .isEqualTo(picture);
    }

    /** The story's lines, numbered as among all, and without the progress that a terminal erases. */
    private static List<String> told() throws IOException, InterruptedException {
        StringWriter text = new StringWriter();
        Page page = new Page(new PrintWriter(text), Palette.COLOURED, WIDTH);
        try (Stage stage = new Stage(PATIENCE)) {
            assertThat(new Demo(page, List.of(STORY), PATIENCE).play(stage))
                    .as(text.toString())
                    .isZero();
        }
        String number = String.valueOf(Demo.STORIES.indexOf(STORY) + 1);
        return text.toString()
                .replaceAll("\r\u001b\\[K[^\r\n]*(?=\r)", "")
                .replace("\r\u001b[K", "")
                .lines()
                .map(line ->
                        line.replaceFirst("━━ 1 (·.*)━{%d}".formatted(number.length() - 1), "━━ " + number + " $1"))
                .toList();
    }

    /** Without the manifest, the long answer and the end of the demo. */
    private static List<String> excerpt(List<String> lines) {
        List<String> shown = new ArrayList<>(List.of("$ ./evenkeel demo", "…"));
        boolean skips = false;
        for (String line : lines.subList(1, lines.size() - 3)) {
            String label = line.replaceAll("\u001b\\[\\d+m", "").strip().split(" ", 2)[0];
            if (label.equals("apply") || label.equals("more")) {
                skips = true;
                shown.add(Page.MARGIN + "…");
            } else if (label.equals("ask") || label.equals("so")) {
                skips = false;
            }
            if (!skips) {
                shown.add(line);
            }
        }
        return shown;
    }

    /** Lines with colours as an image: each run of words at its column, whatever the font. */
    private static final class Terminal {
        private static final Pattern PAINTED = Pattern.compile("\u001b\\[(\\d+)m([^\u001b]*)\u001b\\[0m|[^\u001b]+");
        private static final Pattern WORDS = Pattern.compile("\\S+(?: \\S+)*");
        private static final Map<String, String> STYLES = Map.of(
                "1", " font-weight=\"bold\"",
                "2", " fill=\"#8b949e\"",
                "31", " fill=\"#f85149\"",
                "32", " fill=\"#3fb950\"");
        private static final int COLUMN = 8;
        private static final int LINE = 18;
        private static final int MARGIN = 20;

        private Terminal() {}

        static String drawn(List<String> lines) {
            int width = WIDTH * COLUMN + 2 * MARGIN;
            int height = lines.size() * LINE + 2 * MARGIN;
            StringBuilder svg = new StringBuilder("""
                    <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">
                    <title>A terminal: evenkeel demo</title>
                    <rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
                    <g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#e6edf3">
                    """.formatted(width, height, width, height));
            int y = MARGIN - LINE / 4;
            for (String line : lines) {
                y += LINE;
                draw(line, y, svg);
            }
            return svg.append("</g>\n</svg>\n").toString();
        }

        private static void draw(String line, int y, StringBuilder svg) {
            int column = 0;
            Matcher painted = PAINTED.matcher(line);
            while (painted.find()) {
                String style = painted.group(1) == null ? "" : STYLES.get(painted.group(1));
                String text = painted.group(1) == null ? painted.group() : painted.group(2);
                Matcher words = WORDS.matcher(text);
                while (words.find()) {
                    svg.append(
                            "<text x=\"%d\" y=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"%s>%s</text>\n"
                                    .formatted(
                                            MARGIN + (column + words.start()) * COLUMN,
                                            y,
                                            words.group().length() * COLUMN,
                                            style,
                                            words.group().replace("&", "&amp;").replace("<", "&lt;")));
                }
                column += text.length();
            }
        }
    }
}
