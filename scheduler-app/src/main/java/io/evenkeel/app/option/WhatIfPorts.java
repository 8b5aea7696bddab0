package io.evenkeel.app.option;

import io.evenkeel.app.option.Converters.WholeNumber;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The ports on which what-ifs are answered over gRPC. */
@Command(optionListHeading = "What-ifs")
public final class WhatIfPorts {
    @Option(
            names = "--whatif-port",
            paramLabel = "PORT",
            converter = WholeNumber.Port.class,
            description =
                    "Port for what-ifs over gRPC, guarded as --secure-port is, 0 for none (default: ${DEFAULT-VALUE})")
    private int secure = 10_260;

    @Option(
            names = "--insecure-whatif-port",
            paramLabel = "PORT",
            converter = WholeNumber.Port.class,
            description = "Port on 127.0.0.1 for what-ifs over gRPC without TLS and authentication, for development, 0"
                    + " for none (default: ${DEFAULT-VALUE})")
    private int plain;

    /** On this port alone, without TLS, unless another is named for that. */
    public WhatIfPorts plain(int usual) {
        WhatIfPorts ports = new WhatIfPorts();
        ports.secure = 0;
        ports.plain = plain == 0 ? usual : plain;
        return ports;
    }

    public int secure() {
        return secure;
    }

    public int plain() {
        return plain;
    }
}
