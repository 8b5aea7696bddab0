/**
 * {@code evenkeel demo}: the topology-spread stories of the Kubernetes documents, played on a hollow cluster by the live
 * scheduler. A story reads as a specification; it acts through the API, and what it draws and checks is what the API shows.
 */
@NullMarked
package io.evenkeel.lab.demo;

import org.jspecify.annotations.NullMarked;
