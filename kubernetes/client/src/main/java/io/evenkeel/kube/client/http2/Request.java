package io.evenkeel.kube.client.http2;

import java.util.List;

/**
 * A call.
 *
 * @param path with the query, encoded
 * @param headers mostly the same in all calls, which then cost a byte each
 * @param body empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares requests, or writes into them
public record Request(String method, String path, List<Header> headers, byte[] body) {}
