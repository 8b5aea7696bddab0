package io.evenkeel.config.write;

import io.evenkeel.config.Extender;

/** An extender as it is written. */
final class ExtenderTree {
    private ExtenderTree() {}

    static Tree of(Extender extender) {
        return new Tree()
                .put("urlPrefix", extender.urlPrefix())
                .putNonEmpty("filterVerb", extender.filterVerb())
                .putNonEmpty("preemptVerb", extender.preemptVerb())
                .putNonEmpty("prioritizeVerb", extender.prioritizeVerb())
                .put("weight", extender.weight())
                .putNonEmpty("bindVerb", extender.bindVerb())
                .put("enableHTTPS", extender.enableHTTPS())
                .putPresent("tlsConfig", extender.tlsConfig().map(ExtenderTree::tls))
                .put("httpTimeout", extender.httpTimeout())
                .put("nodeCacheCapable", extender.nodeCacheCapable())
                .put("managedResources", extender.managedResources(), ExtenderTree::managedResource)
                .put("ignorable", extender.ignorable());
    }

    private static Tree managedResource(Extender.ManagedResource resource) {
        return new Tree().put("name", resource.name()).put("ignoredByScheduler", resource.ignoredByScheduler());
    }

    private static Tree tls(Extender.Tls tls) {
        return new Tree()
                .put("insecure", tls.insecure())
                .putNonEmpty("serverName", tls.serverName())
                .putNonEmpty("certFile", tls.certFile())
                .putNonEmpty("keyFile", tls.keyFile())
                .putNonEmpty("caFile", tls.caFile())
                .putNonEmpty("certData", tls.certData())
                .putNonEmpty("keyData", tls.keyData())
                .putNonEmpty("caData", tls.caData());
    }
}
