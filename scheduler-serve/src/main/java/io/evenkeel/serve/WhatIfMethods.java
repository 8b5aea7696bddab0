package io.evenkeel.serve;

import com.google.protobuf.Message;
import evenkeel.whatif.v1.AskRequest;
import evenkeel.whatif.v1.AskResponse;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;

/** The methods of the service {@code evenkeel.whatif.v1.WhatIf}, for servers and clients in Java. */
public final class WhatIfMethods {
    public static final String SERVICE = "evenkeel.whatif.v1.WhatIf";

    public static final MethodDescriptor<SessionRequest, SessionResponse> SESSION = method(
            SERVICE,
            "Session",
            MethodType.BIDI_STREAMING,
            SessionRequest.getDefaultInstance(),
            SessionResponse.getDefaultInstance());

    public static final MethodDescriptor<AskRequest, AskResponse> ASK =
            method(SERVICE, "Ask", MethodType.UNARY, AskRequest.getDefaultInstance(), AskResponse.getDefaultInstance());

    private WhatIfMethods() {}

    static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
            String service, String name, MethodType type, Q request, A response) {
        return MethodDescriptor.<Q, A>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .setRequestMarshaller(ProtoUtils.marshaller(request))
                .setResponseMarshaller(ProtoUtils.marshaller(response))
                .build();
    }
}
