package io.evenkeel.app.cli;

import io.evenkeel.problem.UserProblem;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * The stream of results. Java's own writers swallow errors, so a result could be lost in silence; here an error is an
 * {@link OutputException}, which ends the command.
 */
final class StandardOutput extends OutputStream {
    private final OutputStream to;

    private StandardOutput(OutputStream to) {
        this.to = to;
    }

    /** A writer to the process's standard output. */
    static PrintWriter writer() {
        return writer(new FileOutputStream(FileDescriptor.out));
    }

    static PrintWriter writer(OutputStream to) {
        return new PrintWriter(new StandardOutput(to), true, StandardCharsets.UTF_8);
    }

    @Override
    public void write(int single) {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        try {
            to.write(bytes, offset, length);
        } catch (IOException e) {
            throw new OutputException(e);
        }
    }

    @Override
    public void flush() {
        try {
            to.flush();
        } catch (IOException e) {
            throw new OutputException(e);
        }
    }

    /** Standard output cannot be written. The message is one line for the user. */
    static final class OutputException extends UserProblem {
        private static final long serialVersionUID = 1L;

        OutputException(IOException cause) {
            super("standard output: " + cause.getMessage(), cause);
        }

        /** Whether the reader closed its end, as {@code head} does after some lines: no failure of the command. */
        public boolean isClosedPipe() {
            return String.valueOf(getMessage()).endsWith("Broken pipe");
        }
    }
}
