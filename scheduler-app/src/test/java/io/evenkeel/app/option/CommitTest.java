package io.evenkeel.app.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CommitTest {
    @Test
    void aBuildSaysItsCommitAndItsDate() {
        assertThat(Commit.of("1af3-dirty 2026-11-28\n")).hasToString("commit 1af3-dirty of 2026-11-28");
    }

    @Test
    void aBuildOutsideGitSaysSo() {
        assertThat(Commit.of(" \n")).hasToString("not built from a git repository");
        assertThat(Commit.of("")).isEqualTo(new Commit("", ""));
    }

    /** Of a worktree, {@code .git} is a file that names another directory. */
    @Test
    void thisBuildKnowsItsCommit() throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "log", "-1", "--format=%cs").start();
        String date = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        boolean isInGit = Files.exists(Path.of("../.git")) && git.waitFor() == 0;

        assertThat(Commit.OF_BUILD.date()).hasSize(isInGit ? date.length() : 0);
        assertThat(Commit.OF_BUILD.id()).matches(isInGit ? "[0-9a-f]{40}(-dirty)?" : "");
    }
}
