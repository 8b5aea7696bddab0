/**
 * Several engines on one cluster: which shard a node is in, which engine decides a pod, and the gate before each engine, which lets
 * in what it is to know and turns what it says into what is written.
 */
@NullMarked
package io.evenkeel.shard;

import org.jspecify.annotations.NullMarked;
