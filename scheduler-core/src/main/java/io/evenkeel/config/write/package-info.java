/**
 * The writer of KubeSchedulerConfiguration v1: a completed configuration as YAML or JSON, which reads back as an equal
 * record.
 */
@NullMarked
package io.evenkeel.config.write;

import org.jspecify.annotations.NullMarked;
