package io.evenkeel.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameFormTest {
    private static final String OF_63 = "a".repeat(63);
    private static final String OF_253 = "a".repeat(253);

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "1", "a.b_c-D", "example.com/name", "1.2/3", "a-b.c/D_e", "a--b"})
    void isAKey(String key) {
        assertThat(NameForm.isLabelKey(key)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "a b", "-a", "a-", ".a", "a.", "_", "ä", "a\n", "/", "/a", "a/", "a/b/c", "A/b", "a_b/c",
                "-a/b", "a-/b", "a..b/c", ".a/b", "a./b", "a /b", "a/b c", "a/-b"
            })
    void isNoKey(String key) {
        assertThat(NameForm.isLabelKey(key)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "0", "my-value_1.0", "a__b"})
    void isAValue(String value) {
        assertThat(NameForm.isLabelValue(value)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a b", "-a", "a_", ".", "a/b", "ä", "a\n", "\na"})
    void isNoValue(String value) {
        assertThat(NameForm.isLabelValue(value)).isFalse();
    }

    @Test
    void aNameHas63CharactersAtMost() {
        assertThat(List.of(OF_63, "example.com/" + OF_63)).allMatch(NameForm::isLabelKey);
        assertThat(List.of(OF_63 + "a", "example.com/" + OF_63 + "a")).noneMatch(NameForm::isLabelKey);
        assertThat(NameForm.isLabelValue(OF_63)).isTrue();
        assertThat(NameForm.isLabelValue(OF_63 + "a")).isFalse();
        assertThat(NameForm.isDnsLabel(OF_63)).isTrue();
        assertThat(NameForm.isDnsLabel(OF_63 + "a")).isFalse();
    }

    @Test
    void whatIsBeforeTheSlashHas253AtMost() {
        assertThat(NameForm.isLabelKey(OF_253 + "/" + OF_63)).isTrue();
        assertThat(NameForm.isLabelKey(OF_253 + "a/a")).isFalse();
    }

    /** Nobody who writes long names stops whoever reads them. */
    @Test
    void namesWithoutAnEndAreNone() {
        String endless = "a.".repeat(1_000_000) + "a";
        assertThat(NameForm.isLabelKey(endless + "/a")).isFalse();
        assertThat(NameForm.isLabelValue(endless)).isFalse();
        assertThat(NameForm.isSubdomain(endless)).isFalse();
    }
}
