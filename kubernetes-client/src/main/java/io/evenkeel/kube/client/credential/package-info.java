/**
 * How the API server knows us: tokens, certificates and passwords, read again and renewed while a program runs.
 */
@NullMarked
package io.evenkeel.kube.client.credential;

import org.jspecify.annotations.NullMarked;
