package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus.ExtendedClaim;
import io.evenkeel.model.PodStatus.MadeClaim;
import io.evenkeel.model.PodStatus.Mapping;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.model.device.Device.Capacity;
import io.evenkeel.model.device.Device.CounterUse;
import io.evenkeel.model.device.Device.Policy;
import io.evenkeel.model.device.Device.Range;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceAllocation.Configuration;
import io.evenkeel.model.device.DeviceAllocation.Result;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceConfiguration;
import io.evenkeel.model.device.DeviceNodes;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.device.DeviceToleration;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceClaim.Condition;
import io.evenkeel.model.device.ResourceClaim.Constraint;
import io.evenkeel.model.device.ResourceClaim.Consumer;
import io.evenkeel.model.device.ResourceClaim.DeviceState;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.device.ResourceSlice.CounterSet;
import io.evenkeel.model.device.ResourceSlice.Pool;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Devices and claims; that protobuf says the same of them, ProtobufReaderTest shows of all kinds. */
class DeviceReaderTest {
    private static final NodeSelector ON_N2 = new NodeSelector(List.of(new NodeSelectorTerm(
            List.of(), List.of(new NodeSelectorRequirement("metadata.name", Operator.IN, List.of("n2"))))));

    private static KubernetesObject read(String kind, String fields) {
        return new ObjectReader().read("""
            {'apiVersion':'resource.k8s.io/v1','kind':'%s','metadata':{'name':'it','creationTimestamp':'2026-01-02T03:04:05Z'},%s}\
            """.formatted(kind, fields).replace('\'', '"'));
    }

    @Test
    void aSliceHasAllThatItsDriverSaysOfItsDevices() {
        Device card = new Device(
                "gpu-0",
                Map.of(
                        "model", new Attribute.Text("l4"),
                        "driverVersion", new Attribute.Version("1.2.0"),
                        "gpu.example.com/index", new Attribute.Int(0),
                        "ecc", new Attribute.Bool(false),
                        "links", new Attribute.Unknown()),
                Map.of(
                        "memory",
                        new Capacity(
                                Quantity.parse("80Gi"),
                                Optional.of(new Policy(
                                        Optional.of(Quantity.of(1)),
                                        List.of(Quantity.of(1), Quantity.of(2)),
                                        Optional.of(new Range(
                                                Quantity.of(1),
                                                Optional.of(Quantity.of(4)),
                                                Optional.of(Quantity.of(1))))))),
                        "slots",
                        new Capacity(Quantity.of(7), Optional.empty())),
                List.of(new CounterUse("card", Map.of("memory", Quantity.parse("40Gi")))),
                new DeviceNodes("n2", Optional.of(ON_N2), true),
                List.of(new DeviceTaint("reserved", "a", "NoExecute", "2026-01-02T03:04:05Z")),
                true,
                List.of("attached"),
                List.of("failed"),
                true);

        assertThat(read("ResourceSlice", """
            'spec':{'driver':'gpu.example.com','pool':{'name':'n2','generation':3,'resourceSliceCount':2},
             'nodeName':'n2','nodeSelector':{'nodeSelectorTerms':[]},'allNodes':true,'perDeviceNodeSelection':true,
             'sharedCounters':[{'name':'card','counters':{'memory':{'value':'80Gi'}}}],
             'devices':[{'name':'gpu-0','attributes':{'model':{'string':'l4'},'driverVersion':{'version':'1.2.0'},
               'gpu.example.com/index':{'int':0},'ecc':{'bool':false},'links':{'strings':['a','b']}},
              'capacity':{'slots':{'value':7},'memory':{'value':'80Gi','requestPolicy':{'default':1,'validValues':['1',2],
               'validRange':{'min':1,'max':4,'step':1}}}},
              'consumesCounters':[{'counterSet':'card','counters':{'memory':{'value':'40Gi'}}}],
              'nodeName':'n2','nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name',
               'operator':'In','values':['n2']}]}]},'allNodes':true,
              'taints':[{'key':'reserved','value':'a','effect':'NoExecute','timeAdded':'2026-01-02T03:04:05Z'}],
              'bindsToNode':true,'bindingConditions':['attached'],'bindingFailureConditions':['failed'],
              'allowMultipleAllocations':true}]}\
            """))
                .isEqualTo(new ResourceSlice(
                        ObjectMeta.named("", "it"),
                        "gpu.example.com",
                        new Pool("n2", 3, 2),
                        new DeviceNodes("n2", Optional.of(new NodeSelector(List.of())), true),
                        true,
                        List.of(card),
                        List.of(new CounterSet("card", Map.of("memory", Quantity.parse("80Gi"))))));
    }

    @Test
    void aClassSaysWhenItWasMade() {
        DeviceClass read = (DeviceClass) read("DeviceClass", """
            'spec':{'selectors':[{'cel':{'expression':'true'}},{'future':{}}],'extendedResourceName':'example.com/gpu',
             'config':[{'opaque':{'driver':'gpu.example.com','parameters':{'a': [1, null, {'b':'ü'}]}}}]}\
            """);

        assertThat(read)
                .isEqualTo(new DeviceClass(
                        ObjectMeta.named("", "it").withCreated("2026-01-02T03:04:05Z"),
                        List.of("true", ""),
                        List.of(new DeviceConfiguration(
                                List.of(), "gpu.example.com", "{\"a\":[1,null,{\"b\":\"ü\"}]}")),
                        "example.com/gpu"));
        assertThat(read.meta().created()).isEqualTo("2026-01-02T03:04:05Z");
    }

    @Test
    void aClaimHasWhatIsWantedAndWhatWasAllocated() {
        ResourceClaim claim = (ResourceClaim) read("ResourceClaim", """
            'spec':{'devices':{
              'requests':[{'name':'one','exactly':{'deviceClassName':'gpu','selectors':[{'cel':{'expression':'true'}}],
                'adminAccess':true,'tolerations':[{'key':'reserved','operator':'Exists','effect':'NoExecute',
                 'tolerationSeconds':9}],'capacity':{'requests':{'memory':'10Gi'}}}},
               {'name':'any','firstAvailable':[{'name':'large','deviceClassName':'gpu','allocationMode':'All'},
                {'name':'small','deviceClassName':'nic','allocationMode':'ExactCount','count':2}]},
               {'name':'future'}],
              'constraints':[{'requests':['one','any/large'],'matchAttribute':'gpu.example.com/numa'},
               {'distinctAttribute':'gpu.example.com/model'},{'requests':['one']}],
              'config':[{'requests':['one'],'opaque':{'driver':'d','parameters':{}}}]}},
             'status':{'allocation':{'devices':{
               'results':[{'request':'any/small','driver':'nic.example.com','pool':'n2','device':'nic-0','adminAccess':true,
                'tolerations':[{'key':'k','value':'v'}],'bindingConditions':['a'],'bindingFailureConditions':['f'],
                'shareID':'7','consumedCapacity':{'bandwidth':'1G'}}],
               'config':[{'source':'FromClass','requests':['any'],'opaque':{'driver':'d','parameters':{'x':1}}},
                {'source':'FromClaim','opaque':{'driver':'e'}}]},
               'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In','values':['n2']}]}]},
               'allocationTimestamp':'2026-01-02T03:04:05Z'},
              'reservedFor':[{'resource':'pods','name':'p','uid':'u'},
               {'apiGroup':'scheduling.k8s.io','resource':'podgroups','name':'g','uid':'w'}],
              'devices':[{'driver':'nic.example.com','pool':'n2','device':'nic-0','shareID':'7','conditions':[
               {'type':'a','status':'True','reason':'Attached','message':'it is'}]}]}\
            """);

        Wanted one = new Wanted(
                "",
                "gpu",
                List.of("true"),
                "ExactCount",
                1,
                true,
                List.of(new DeviceToleration("reserved", "Exists", "", "NoExecute", OptionalLong.of(9))),
                Map.of("memory", Quantity.parse("10Gi")));
        assertThat(claim.spec().requests())
                .containsExactly(
                        new DeviceRequest("one", List.of(one), false),
                        new DeviceRequest(
                                "any",
                                List.of(
                                        new Wanted("large", "gpu", List.of(), "All", 0, false, List.of(), Map.of()),
                                        new Wanted(
                                                "small",
                                                "nic",
                                                List.of(),
                                                "ExactCount",
                                                2,
                                                false,
                                                List.of(),
                                                Map.of())),
                                true),
                        new DeviceRequest("future", List.of(), false));
        assertThat(claim.spec().constraints())
                .containsExactly(
                        new Constraint(List.of("one", "any/large"), "gpu.example.com/numa", false),
                        new Constraint(List.of(), "gpu.example.com/model", true),
                        new Constraint(List.of("one"), "", false));
        assertThat(claim.spec().configurations()).containsExactly(new DeviceConfiguration(List.of("one"), "d", "{}"));
        assertThat(claim.allocation())
                .contains(new DeviceAllocation(
                        List.of(new Result(
                                "any/small",
                                "nic.example.com",
                                "n2",
                                "nic-0",
                                true,
                                List.of(new DeviceToleration("k", "", "v", "", OptionalLong.empty())),
                                List.of("a"),
                                List.of("f"),
                                "7",
                                Map.of("bandwidth", Quantity.parse("1G")))),
                        List.of(
                                new Configuration(true, new DeviceConfiguration(List.of("any"), "d", "{\"x\":1}")),
                                new Configuration(false, new DeviceConfiguration(List.of(), "e", ""))),
                        Optional.of(ON_N2),
                        "2026-01-02T03:04:05Z"));
        assertThat(claim.reservedFor())
                .containsExactly(
                        new Consumer("", "pods", "p", "u"), new Consumer("scheduling.k8s.io", "podgroups", "g", "w"));
        assertThat(claim.devices())
                .containsExactly(new DeviceState(
                        "nic.example.com",
                        "n2",
                        "nic-0",
                        "7",
                        List.of(new Condition("a", "True", "Attached", "it is"))));
        assertThat(claim.key()).isEqualTo("default/it");
    }

    /** Whatever it is named by, a rule is about no device where it does not say which. */
    @Test
    void aTaintRuleIsAboutTheDevicesThatAgreeWithAllThatItSays() {
        String taint = "'taint':{'key':'broken','effect':'NoSchedule'}";
        DeviceTaintRule ofPool = (DeviceTaintRule)
                read("DeviceTaintRule", "'spec':{'deviceSelector':{'driver':'d','pool':'p'}," + taint + "}");
        DeviceTaintRule ofAll = (DeviceTaintRule) read("DeviceTaintRule", "'spec':{'deviceSelector':{}," + taint + "}");
        DeviceTaintRule ofNone = (DeviceTaintRule) read("DeviceTaintRule", "'spec':{" + taint + "}");

        assertThat(ofPool.taint()).isEqualTo(new DeviceTaint("broken", "", "NoSchedule", ""));
        assertThat(ofPool.selects("d", "p", "any")).isTrue();
        assertThat(ofPool.selects("d", "q", "any")).isFalse();
        assertThat(ofAll.selects("x", "y", "z")).isTrue();
        assertThat(ofNone.selects("x", "y", "z")).isFalse();
    }

    @Test
    void aPodSaysWhichClaimsWereMadeForIt() {
        Pod pod = (Pod) new ObjectReader().read("""
            {'kind':'Pod','metadata':{'name':'p'},'status':{
              'resourceClaimStatuses':[{'name':'gpu','resourceClaimName':'p-gpu-x7'},{'name':'none'}],
              'extendedResourceClaimStatus':{'resourceClaimName':'p-extended-resources-9z','requestMappings':[
               {'containerName':'c','resourceName':'example.com/gpu','requestName':'container-0-request-0'}]}}}\
            """.replace('\'', '"'));

        assertThat(pod.status().claims())
                .containsExactly(
                        new MadeClaim("gpu", Optional.of("p-gpu-x7")), new MadeClaim("none", Optional.empty()));
        assertThat(pod.status().extendedClaim())
                .contains(new ExtendedClaim(
                        "p-extended-resources-9z",
                        List.of(new Mapping("c", "example.com/gpu", "container-0-request-0"))));
    }
}
