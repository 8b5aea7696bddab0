package io.evenkeel.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeNumberTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "+7",
                "007",
                "9223372036854775807",
                "-9223372036854775808",
                "00009223372036854775807",
                "9223372036854775808",
                "-9223372036854775809",
                "92233720368547758070",
                "99999999999999999999999",
                "",
                "-",
                "+",
                "--1",
                "1-",
                "1.0",
                "1e3",
                "0x1",
                " 1",
                "1 ",
                "node-1",
                "/",
                ":",
            })
    void numbersAreThoseOfTheJdk(String text) {
        assertThat(WholeNumber.parse(text)).isEqualTo(byTheJdk(text));
    }

    @Test
    void whateverIsWrittenIsTheJdksNumberOrNone() {
        Random random = new Random(1);
        String letters = "+-0123456789999a";
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(22); length > 0; length--) {
                text.append(letters.charAt(random.nextInt(length > 18 ? letters.length() : 13)));
            }
            assertThat(WholeNumber.parse(text.toString())).as("%s", text).isEqualTo(byTheJdk(text.toString()));
        }
    }

    @Test
    void digitsOfOtherScriptsAreNone() {
        assertThat(WholeNumber.parse("\u0667")).isEmpty();
    }

    private static OptionalLong byTheJdk(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException none) {
            return OptionalLong.empty();
        }
    }
}
