/**
 * KubeSchedulerConfiguration v1 as immutable records with kube-scheduler's defaults, the plugins' arguments among them, and
 * the expansion of a profile's plugins to extension points. Reads no text: {@code config.file} does.
 */
@NullMarked
package io.evenkeel.config;

import org.jspecify.annotations.NullMarked;
