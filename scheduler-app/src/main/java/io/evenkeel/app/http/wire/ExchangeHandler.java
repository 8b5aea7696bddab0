package io.evenkeel.app.http.wire;

import java.io.IOException;

/** Answers requests; called by several threads at once, which all may wait. */
@FunctionalInterface
public interface ExchangeHandler {
    void handle(Exchange exchange) throws IOException;
}
