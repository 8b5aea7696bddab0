package io.evenkeel.plugins.devices;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodStatus.MadeClaim;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.read.ObjectReader;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Devices and claims for tests; all devices are of the driver gpu.example.com, and the class gpu has them all. */
final class Claimed {
    private static final ObjectReader READER = new ObjectReader();

    static final KubernetesObject GPU = object("{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1','metadata':"
            + "{'name':'gpu'},'spec':{'selectors':[{'cel':{'expression':'device.driver == \\'gpu.example.com\\''}}]}}");

    private Claimed() {}

    private static KubernetesObject object(String text) {
        return READER.read(text.replace("\\'", "\u0000").replace('\'', '"').replace('\u0000', '\''));
    }

    private static String meta(String name) {
        return "'metadata':{'name':'" + name + "','namespace':'default','uid':'uid-" + name + "'}";
    }

    /** Devices of one node, in a pool of its name. */
    static KubernetesObject slice(String node, String... devices) {
        return slice("'nodeName':'" + node + "'", node, devices);
    }

    /** Devices that any node can have. */
    static KubernetesObject sliceForAll(String pool, String... devices) {
        return slice("'allNodes':true", pool, devices);
    }

    private static KubernetesObject slice(String where, String pool, String... devices) {
        return object("{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'slice-" + pool
                + "'},'spec':{'driver':'gpu.example.com','pool':{'name':'" + pool
                + "','generation':1,'resourceSliceCount':1}," + where + ",'devices':["
                + Arrays.stream(devices)
                        .map(device -> "{'name':'" + device + "','attributes':{'model':{'string':'"
                                + device.substring(0, device.indexOf('-')) + "'}}}")
                        .collect(Collectors.joining(","))
                + "]}}");
    }

    /** A claim for one device. */
    static ResourceClaim claim(String name) {
        return claim(name, "'exactly':{'deviceClassName':'gpu'}", "");
    }

    /** A claim for one device, of the first of these models that can be had. */
    static ResourceClaim claimForFirst(String name, String... models) {
        return claim(
                name,
                "'firstAvailable':["
                        + Arrays.stream(models)
                                .map(model -> "{'name':'" + model
                                        + "','deviceClassName':'gpu','selectors':[{'cel':{'expression':"
                                        + "'device.attributes[\\'gpu.example.com\\'].model == \\'" + model + "\\''}}]}")
                                .collect(Collectors.joining(","))
                        + "]",
                "");
    }

    /** A claim that has this device, for these pods. */
    static ResourceClaim claimWith(String name, String node, String device, String... pods) {
        return claim(
                name,
                "'exactly':{'deviceClassName':'gpu'}",
                "'allocation':{'devices':{'results':[{'request':'r','driver':'gpu.example.com','pool':'" + node
                        + "','device':'" + device + "'}]},'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':"
                        + "'metadata.name','operator':'In','values':['" + node + "']}]}]}},'reservedFor':["
                        + Arrays.stream(pods)
                                .map(pod -> "{'resource':'pods','name':'" + pod + "','uid':'uid-" + pod + "'}")
                                .collect(Collectors.joining(","))
                        + "]");
    }

    static ResourceClaim claim(String name, String request, String status) {
        return (ResourceClaim) object("{'kind':'ResourceClaim','apiVersion':'resource.k8s.io/v1'," + meta(name)
                + ",'spec':{'devices':{'requests':[{'name':'r'," + request + "}]}},'status':{" + status + "}}");
    }

    /** A claim that was made for the pod. */
    static ResourceClaim claimOf(String pod, String name) {
        return (ResourceClaim) object("{'kind':'ResourceClaim','apiVersion':'resource.k8s.io/v1',"
                + meta(name)
                        .replace(
                                "}",
                                ",'ownerReferences':[{'kind':'Pod','name':'" + pod + "','uid':'uid-" + pod
                                        + "','controller':true}]}")
                + ",'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'gpu'}}]}}}");
    }

    static PodBuilder pod(String name, String... claims) {
        PodBuilder builder = PodBuilder.pod(name).uid("uid-" + name);
        for (String claim : claims) {
            builder.resourceClaim(claim);
        }
        return builder;
    }

    /** A pod with a claim from a template; made under this name, or not yet where that is empty. */
    static Pod templatePod(String name, String made) {
        Pod pod = pod(name)
                .resourceClaim(new PodResourceClaim("gpu", "", "template"))
                .build();
        return made.isEmpty()
                ? pod
                : PodBuilder.from(pod)
                        .status(PodStatusBuilder.from(pod.status())
                                .claims(List.of(new MadeClaim("gpu", Optional.of(made))))
                                .build())
                        .build();
    }
}
