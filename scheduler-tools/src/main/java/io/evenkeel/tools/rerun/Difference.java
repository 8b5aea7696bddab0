package io.evenkeel.tools.rerun;

import java.time.Instant;

/**
 * The first place where a replay decides otherwise than the run did.
 *
 * @param event the number of the event that was taken in last, from 1 on
 * @param pod that it is about
 * @param text what was recorded, and what was replayed
 */
record Difference(long event, Instant time, String pod, String text) {}
