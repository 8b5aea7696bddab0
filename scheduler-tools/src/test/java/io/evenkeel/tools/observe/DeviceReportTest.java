package io.evenkeel.tools.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.why.UsualProfiles;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a report says of devices. */
class DeviceReportTest {
    private final List<KubernetesObject> objects = new ArrayList<>();

    private void add(String kind, String name, String fields) {
        objects.add(new ObjectReader()
                .read(
                        "{'kind':'%s','apiVersion':'resource.k8s.io/v1','metadata':{'name':'%s','namespace':'shop','uid':'%s'},%s}"
                                .formatted(kind, name, name, fields)
                                .replace('\'', '"')));
    }

    private String report(Output form) {
        ClusterOnce cluster = new ClusterOnce(UsualProfiles.CONFIGURATION, InTreePlugins.registry());
        cluster.tell(objects);
        return form.of(cluster.report(), Layout.of(100));
    }

    @Test
    void withoutDevicesItSaysNothingOfThem() {
        assertThat(report(Output.TEXT)).doesNotContain("Class");
        assertThat(report(Output.JSON)).doesNotContain("devices", "partitioned");
    }

    @Test
    void devicesAreCountedByClassAndStateAndPartitionsByWhatIsWhole() {
        add("DeviceClass", "all", "'spec':{}");
        add("ResourceSlice", "counters", """
                'spec':{'driver':'d','allNodes':true,'pool':{'name':'p','generation':1,'resourceSliceCount':2},
                'sharedCounters':[{'name':'a','counters':{'memory':{'value':'4'}}},
                {'name':'b','counters':{'memory':{'value':'4'}}}]}""");
        add("ResourceSlice", "devices", """
                'spec':{'driver':'d','allNodes':true,'pool':{'name':'p','generation':1,'resourceSliceCount':2},'devices':[
                {'name':'half','consumesCounters':[{'counterSet':'a','counters':{'memory':{'value':'2'}}}]},
                {'name':'whole','consumesCounters':[{'counterSet':'a','counters':{'memory':{'value':'4'}}}]},
                {'name':'other','consumesCounters':[{'counterSet':'b','counters':{'memory':{'value':'4'}}}]}]}""");
        add("ResourceClaim", "c", """
                'spec':{},'status':{'allocation':{'devices':{'results':[
                {'request':'r','driver':'d','pool':'p','device':'half'}]}}}""");
        assertThat(report(Output.TEXT)).endsWith("""

                        Class   driver   allocated   blocked   free
                        all     d        1           1         1
                        Partitions of d: 1 of 2 counter sets whole; 33 % of what is free is in pieces""");
        assertThat(report(Output.JSON))
                .contains(
                        "\"devices\":[{\"driver\":\"d\",\"class\":\"all\",\"allocated\":1,\"shared\":0,\"unusable\":0,"
                                + "\"tainted\":0,\"blocked\":1,\"free\":1}],\"partitioned\":[{\"driver\":\"d\",\"counterSets\":2,"
                                + "\"whole\":1,\"free\":1.5,\"fragmentation\":0.333}]");
    }
}
