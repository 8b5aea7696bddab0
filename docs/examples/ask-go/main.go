// Where would pods of a template go without a node? Asks a server of what-ifs.
//
//	ask 127.0.0.1:20261 pod.json 100 node-1
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"

	"example.com/ask/whatifv1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

func main() {
	pod, err := os.ReadFile(os.Args[2])
	check(err)
	most, err := strconv.ParseUint(os.Args[3], 10, 32)
	check(err)
	conn, err := grpc.NewClient(os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
	check(err)
	defer conn.Close()
	session, err := whatifv1.NewWhatIfClient(conn).Session(context.Background())
	check(err)
	check(session.Send(&whatifv1.SessionRequest{Steps: []*whatifv1.Step{
		{Step: &whatifv1.Step_RemoveNode{RemoveNode: os.Args[4]}},
		{Step: &whatifv1.Step_SchedulePodsByTemplate{SchedulePodsByTemplate: &whatifv1.SchedulePodsByTemplate{
			Template: &whatifv1.KubernetesObject{Encoding: &whatifv1.KubernetesObject_Json{Json: string(pod)}},
			Most:     uint32(most),
		}}},
	}}))
	answer, err := session.Recv()
	check(err)
	for _, result := range answer.Results {
		if result.GetError() != "" {
			log.Fatal(result.GetError())
		}
		for _, verdict := range result.GetVerdicts().GetVerdicts() {
			fmt.Println(verdict.Pod, verdict.Node, verdict.Message)
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
