/**
 * What is said of the image, by the Dockerfile, by Jib's configuration and by the chart, held against each other; and
 * the workflows that publish it. Nothing is built or run here.
 */
@NullMarked
package io.evenkeel.image.definition;

import org.jspecify.annotations.NullMarked;
