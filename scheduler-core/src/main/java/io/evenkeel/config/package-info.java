/**
 * KubeSchedulerConfiguration v1 as immutable records with kube-scheduler's defaults, and the expansion of a profile's
 * plugins to extension points. Reads no text: {@code read} and {@code write} do.
 */
@NullMarked
package io.evenkeel.config;

import org.jspecify.annotations.NullMarked;
