package io.evenkeel.kube.dispatch.plan;

import io.evenkeel.engine.Command;

/** The kinds of commands, the most urgent first. */
public enum CommandKind {
    BIND,
    LOOK,
    PATCH_STATUS,
    ANNOUNCE;

    public static CommandKind of(Command command) {
        return switch (command) {
            case Command.Bind _ -> BIND;
            case Command.Look _ -> LOOK;
            case Command.PatchStatus _ -> PATCH_STATUS;
            case Command.Announce _ -> ANNOUNCE;
        };
    }
}
