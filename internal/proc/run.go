package proc

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// Run runs the command to its end. When ctx is done the child and its group are stopped.
func Run(ctx context.Context, c Command) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s was not started: %w", c.Name, context.Cause(ctx))
	}
	p, err := Start(c)
	if err != nil {
		return err
	}
	defer p.Stop()
	return p.Wait(ctx)
}

// Output runs the command to its end and returns what it wrote to standard output and standard
// error together, trimmed. The output is returned with the error, too.
func Output(ctx context.Context, c Command) (string, error) {
	var buf bytes.Buffer
	c.Stdout, c.Stderr = &buf, &buf
	err := Run(ctx, c)
	return strings.TrimSpace(buf.String()), err
}
