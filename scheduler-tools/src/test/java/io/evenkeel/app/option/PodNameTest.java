package io.evenkeel.app.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodNameTest {
    @Test
    void hasItsNamespaceOrTheUsualOne() {
        assertThat(parsed("web-6.x").in("shop")).isEqualTo("shop/web-6.x");
        assertThat(parsed("bank/web-6").in("shop")).isEqualTo("bank/web-6");
    }

    private static PodName parsed(String text) {
        return PodName.parse(text, IllegalArgumentException::new);
    }

    /** Before anything is read, or asked of a server: there is neither. */
    @ParameterizedTest
    @ValueSource(strings = {"a/b/c", "a/", "/b", "/", "a b", "A/b", "a.b/c", "a//b"})
    void anythingElseIsAMistakeInTheCommandLine(String name) {
        String said = "expected [NAMESPACE/]NAME of a pod, as in shop/web-6, got \"" + name + '"';

        isRefused(Typed.evenkeel("why", "pod", name, "--kubeconfig", "/none"), said);
        isRefused(Typed.evenkeel("replay", "--record", "/none", "--why", name), said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "x y"})
    void soIsANamespace(String namespace) {
        isRefused(
                Typed.evenkeel("why", "web-6", "-n", namespace, "--kubeconfig", "/none"),
                "got \"" + namespace + "/web-6\"");
    }

    private static void isRefused(Typed typed, String said) {
        assertThat(typed.exitCode()).isEqualTo(2);
        assertThat(typed.err()).startsWith("evenkeel: ").contains(said).hasLineCount(1);
    }
}
