package plugin

import (
	"context"
	"sync"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// toldKey carries a *sync.Once through the context of a request: whether it has been told that Prometheus could not
// be asked. Both sides of a comparison and every query of a panel meet the same server.
type toldKey struct{}

func withTold(ctx context.Context) context.Context {
	return context.WithValue(ctx, toldKey{}, new(sync.Once))
}

// tellUnasked warns, once for each request, that a configured Prometheus could not be asked, and why.
func (i *Instance) tellUnasked(ctx context.Context, s *evidence.Side) {
	if !unanswered(s.Metrics.State) {
		return
	}
	once, ok := ctx.Value(toldKey{}).(*sync.Once)
	if !ok {
		once = new(sync.Once)
	}
	once.Do(func() {
		i.logger(ctx).Warn("Prometheus could not be asked", "side", s.ID, "state", string(s.Metrics.State), "cause", s.Metrics.Message)
	})
}

// logger is that of a request.
func (i *Instance) logger(ctx context.Context) log.Logger {
	if i.op.logger != nil {
		return i.op.logger
	}
	return backend.Logger.FromContext(ctx)
}
