package plugin

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

const (
	// maxBoundaryCalls bounds each direction of one answer; the total says how many there are.
	maxBoundaryCalls = 200
	// maxBodyBytes is how much of one body is shown.
	maxBodyBytes = 64 << 10
)

// reveals tells whether the request asked for unmasked values and may see them. Recorded traffic can hold
// secrets, so a Viewer never does.
func reveals(r *http.Request) (bool, *problem) {
	if r.URL.Query().Get("show") != "values" {
		return false, nil
	}
	if u := backend.UserFromContext(r.Context()); u != nil && (u.Role == roleEditor || u.Role == roleAdmin) {
		return true, nil
	}
	return false, refused("the organisation role Editor or Admin, because recorded values can hold secrets", nil)
}

// getBoundary answers with the boundary of a recording: the inbound operations and the outbound calls.
func (i *Instance) getBoundary(w http.ResponseWriter, r *http.Request, logger log.Logger) error {
	if p := required(r, "run"); p != nil {
		return p
	}
	show, prob := reveals(r)
	if prob != nil {
		return prob
	}
	root, dir, ok := strings.Cut(r.URL.Query().Get("run"), "/")
	if !ok {
		return badParameter("run", "write it as root/path")
	}
	run, err := i.catalog.RunAt(r.Context(), root, dir)
	if err != nil {
		return err
	}
	pairs, problems, err := i.catalog.Pairs(r.Context(), run)
	if err != nil {
		return err
	}
	out := BoundaryResponse{
		APIVersion: APIVersion, RunID: run.ID, Masked: !show, Total: len(pairs),
		Inbound: []BoundaryCall{}, Outbound: []BoundaryCall{}, Problems: nonNil(append(append([]catalog.Problem{}, run.Problems...), problems...)),
	}
	for _, p := range pairs {
		list := &out.Outbound
		if p.Direction == "IN" {
			list = &out.Inbound
		}
		if len(*list) < maxBoundaryCalls {
			*list = append(*list, boundaryCall(p, show))
		}
	}
	writeJSON(w, logger, http.StatusOK, out)
	return nil
}

func boundaryCall(p catalog.Pair, show bool) BoundaryCall {
	shown := proxymock.Mask(p.Pair, proxymock.MaskOptions{Bodies: !show})
	call := BoundaryCall{
		UUID: p.UUID, Direction: p.Direction, Protocol: p.Protocol, Status: shown.Status,
		Operation: strings.TrimSpace(shown.Command + " " + shown.Location),
		At:        p.TS.UTC().Format(time.RFC3339Nano), Path: path.Join(p.Path), Reasons: evidence.Reasons{},
	}
	if took, known := p.Took(); known {
		ms := float64(took.Microseconds()) / 1000
		call.DurationMs = &ms
	} else {
		call.Reasons["durationMs"] = evidence.ReasonUnknown
	}
	if shown.HTTP != nil {
		call.Operation = shown.HTTP.Method + " " + shown.HTTP.URI
		call.Body, _ = bodyText(shown.HTTP.ResponseBody)
	}
	return call
}

// bodyText makes a body readable: JSON with indents, other text as it is, cut at maxBodyBytes.
func bodyText(body []byte) (text string, cut bool) {
	var pretty bytes.Buffer
	if json.Valid(body) && json.Indent(&pretty, body, "", "  ") == nil {
		body = pretty.Bytes()
	}
	if len(body) > maxBodyBytes {
		body, cut = body[:maxBodyBytes], true
		for len(body) > 0 && !utf8.Valid(body) && len(body) > maxBodyBytes-utf8.UTFMax {
			body = body[:len(body)-1]
		}
	}
	if !utf8.Valid(body) {
		return "(binary, not shown)", cut
	}
	return string(body), cut
}
