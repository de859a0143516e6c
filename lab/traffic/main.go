// Command traffic sends the lab's fixed list of requests to an orders service, one at a time.
//
//	traffic http://localhost:4143
//
// It exits with 1 when an answer has another status than expected.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/replaylab/replay-evidence/lab/traffic/drive"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string) int {
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "usage: traffic <base URL of the orders service, such as http://localhost:4143>")
		return 2
	}
	result, err := drive.Run(ctx, args[0])
	for _, problem := range result.Problems {
		fmt.Fprintln(os.Stderr, problem)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "traffic:", err)
		return 1
	}
	fmt.Println(result)
	if result.Unexpected > 0 {
		return 1
	}
	return 0
}
