/**
 * KubeSchedulerConfiguration v1: immutable records with kube-scheduler's defaults, a strict reader, a writer, and the
 * expansion of a profile's plugins to extension points. Depends only on the model and on SnakeYAML's parser.
 */
@NullMarked
package io.evenkeel.config;

import org.jspecify.annotations.NullMarked;
