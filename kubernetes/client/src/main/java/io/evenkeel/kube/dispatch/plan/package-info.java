/**
 * Plans what is sent and when: jobs in order a pod, turns among the kinds of commands, budgets, retries.
 * Knows no thread and no server; time is handed in.
 */
@NullMarked
package io.evenkeel.kube.dispatch.plan;

import org.jspecify.annotations.NullMarked;
