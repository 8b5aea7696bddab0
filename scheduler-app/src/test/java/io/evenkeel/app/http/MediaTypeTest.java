package io.evenkeel.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.http.Zpage.MediaType;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MediaTypeTest {

    @Test
    void spacesBesideSemicolonsMeanNothing() {
        assertThat(MediaType.accepted("text/html, Text/Plain ; Q2 = x ;q=0.5,"))
                .containsExactly(
                        new MediaType("text/html", Map.of(), 1), new MediaType("text/plain", Map.of("Q2", "x"), 0.5));
    }

    @Test
    void anybodysHeaderIsReadOnceHoweverManySpacesItHas() {
        String spaces = " ".repeat(300_000);

        assertThat(MediaType.accepted("text/plain;a" + spaces + "b"))
                .containsExactly(new MediaType("text/plain", Map.of("a" + spaces + "b", ""), 1));
    }
}
