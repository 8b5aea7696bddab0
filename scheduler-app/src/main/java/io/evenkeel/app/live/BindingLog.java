package io.evenkeel.app.live;

import io.evenkeel.engine.CommandResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of each binding what became of it. */
final class BindingLog {
    private static final Logger log = LoggerFactory.getLogger(BindingLog.class);

    private BindingLog() {}

    public static void log(CommandResult.OfBinding result) {
        switch (result) {
            case CommandResult.Bound(var pod, var node) ->
                log.atDebug()
                        .setMessage("Successfully bound pod to node")
                        .addKeyValue("pod", pod.key())
                        .addKeyValue("node", node)
                        .log();
            case CommandResult.NotBound(var pod, var node, var failure, var message) ->
                log.atInfo()
                        .setMessage("Failed to bind pod")
                        .addKeyValue("pod", pod.key())
                        .addKeyValue("node", node)
                        .addKeyValue("why", failure)
                        .addKeyValue("message", message)
                        .log();
            case CommandResult.Found _, CommandResult.LookupFailed _ -> {}
        }
    }
}
