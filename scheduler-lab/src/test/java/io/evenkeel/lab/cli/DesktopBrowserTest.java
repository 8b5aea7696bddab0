package io.evenkeel.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.cli.LabCommands.DesktopBrowser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DesktopBrowserTest {

    @Test
    void aDesktopOpensTheAddressByItsOwnCommand() {
        assertThat(DesktopBrowser.command("Linux", Map.of("DISPLAY", ":0"))).contains(List.of("xdg-open"));
        assertThat(DesktopBrowser.command("Linux", Map.of("WAYLAND_DISPLAY", "wayland-0")))
                .contains(List.of("xdg-open"));
        assertThat(DesktopBrowser.command("Mac OS X", Map.of())).contains(List.of("open"));
        assertThat(DesktopBrowser.command("Windows 11", Map.of()))
                .contains(List.of("rundll32", "url.dll,FileProtocolHandler"));
    }

    @Test
    void whereNobodySeesADesktopNothingOpens() {
        assertThat(DesktopBrowser.command("Linux", Map.of())).isEmpty();
        assertThat(DesktopBrowser.command("Linux", Map.of("DISPLAY", "localhost:10.0", "SSH_CONNECTION", "a 1 b 22")))
                .isEmpty();
        assertThat(DesktopBrowser.command("Mac OS X", Map.of("SSH_CONNECTION", "a 1 b 22")))
                .isEmpty();
    }
}
