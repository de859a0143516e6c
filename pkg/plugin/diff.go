package plugin

import (
	"net/http"

	"github.com/grafana/grafana-plugin-sdk-go/backend/log"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// getDiff shows one recorded pair's responses of both sides beside the differences that were found in it.
func (i *Instance) getDiff(w http.ResponseWriter, r *http.Request, logger log.Logger) error {
	if p := required(r, "baseline", "candidate", "refUuid"); p != nil {
		return p
	}
	show, prob := reveals(r)
	if prob != nil {
		return prob
	}
	q := r.URL.Query()
	comparison, err := i.comparison(r.Context(), q.Get("baseline"), q.Get("candidate"), q.Get("profile"), show)
	if err != nil {
		return err
	}
	ref := q.Get("refUuid")
	out := DiffResponse{
		APIVersion: APIVersion, RefUUID: ref, Masked: !show,
		Differences: []compare.ResponseDifference{}, Ignored: nonNil(comparison.Responses.Ignored),
	}
	for _, d := range comparison.Responses.Differences {
		if d.RefUUID == ref {
			out.Differences = append(out.Differences, d)
		}
	}
	out.Baseline = view(comparison.Sides.Baseline.Responses, ref, show, &out.Endpoint)
	out.Candidate = view(comparison.Sides.Candidate.Responses, ref, show, &out.Endpoint)
	if out.Baseline == nil && out.Candidate == nil {
		return &problem{status: http.StatusNotFound, code: "pair_unknown", title: "Pair not found",
			detail: "Neither side replayed a recorded pair with the uuid " + quoted(ref) + ".",
			next:   "Refresh the comparison; the functional run may have been replaced."}
	}
	writeJSON(w, logger, http.StatusOK, out)
	return nil
}

// view is the first response of a recorded pair, as far as a person may see it.
func view(responses []evidence.Response, ref string, show bool, endpoint *string) *ResponseView {
	for _, resp := range responses {
		if resp.RefUUID != ref {
			continue
		}
		*endpoint = resp.Endpoint
		masked := proxymock.Mask(&proxymock.Pair{HTTP: &proxymock.HTTP{ResponseHeaders: resp.Headers, ResponseBody: resp.Body}},
			proxymock.MaskOptions{Bodies: !show})
		v := &ResponseView{Path: resp.Path, Status: resp.Status, Headers: masked.HTTP.ResponseHeaders}
		v.Body, v.Truncated = bodyText(masked.HTTP.ResponseBody)
		return v
	}
	return nil
}
