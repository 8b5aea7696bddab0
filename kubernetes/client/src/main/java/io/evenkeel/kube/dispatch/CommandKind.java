package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import java.util.EnumSet;
import java.util.Set;

/** The kinds of commands, the most urgent first. */
public enum CommandKind {
    BIND,
    WRITE_OBJECT,
    LOOKUP,
    EVICT,
    PATCH_STATUS,
    RECORD_EVENT;

    /** The kinds that a pod which has its node waits for. */
    static final Set<CommandKind> OF_BINDINGS = EnumSet.of(BIND, WRITE_OBJECT, LOOKUP);

    public static CommandKind of(Command.AtServer command) {
        return switch (command) {
            case Command.Bind _ -> BIND;
            case Command.WriteObject _ -> WRITE_OBJECT;
            case Command.Lookup _ -> LOOKUP;
            case Command.Evict _ -> EVICT;
            case Command.PatchStatus _, Command.PatchGroup _ -> PATCH_STATUS;
            case Command.RecordEvent _, Command.RecordGroupEvent _ -> RECORD_EVENT;
        };
    }
}
