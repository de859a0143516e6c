package plugin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/store"
)

// Every error that a request can end with has its status, its code and a next step.
func TestProblemOfAnError(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err    error
		status int
		code   string
	}{
		"unknown side":       {&catalog.UnknownSideError{}, http.StatusNotFound, "side_unknown"},
		"ambiguous side":     {&catalog.AmbiguousSideError{}, http.StatusBadRequest, "side_ambiguous"},
		"unknown root":       {&catalog.UnknownRootError{}, http.StatusNotFound, "root_unknown"},
		"outside the root":   {store.ErrOutsideRoot, http.StatusBadRequest, "outside_root"},
		"no path":            {fs.ErrInvalid, http.StatusBadRequest, "outside_root"},
		"vanished":           {store.ErrVanished, http.StatusNotFound, "vanished"},
		"settings changed":   {store.ErrClosed, http.StatusConflict, "settings_changed"},
		"not readable":       {store.ErrPermission, http.StatusInternalServerError, "unreadable"},
		"beyond a limit":     {&store.LimitError{Limit: "MaxEntries", Value: 1}, http.StatusUnprocessableEntity, "too_large"},
		"the caller left":    {context.Canceled, 499, "cancelled"},
		"took too long":      {context.DeadlineExceeded, http.StatusGatewayTimeout, "timeout"},
		"anything else":      {errors.New("boom"), http.StatusInternalServerError, "internal"},
		"a problem as it is": {badParameter("side", "it is missing"), http.StatusBadRequest, "bad_parameter"},
		"prometheus failed":  {promProblem(&promapi.QueryError{Kind: promapi.KindBadResponse, Next: "Look."}), http.StatusBadGateway, "prometheus_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := toProblem(fmt.Errorf("reading it: %w", tc.err))
			require.Equal(t, tc.status, p.status)
			require.Equal(t, tc.code, p.code)
			require.NotEmpty(t, p.title)
			require.NotEmpty(t, p.detail)
			require.NotEmpty(t, p.next)
		})
	}
}
