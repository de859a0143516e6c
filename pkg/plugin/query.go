package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// The query types of the nested data source.
const (
	queryRuns        = "runs"
	queryMeasures    = "measures"
	queryComparison  = "comparison"
	queryEndpoints   = "endpoints"
	queryDifferences = "differences"
	queryStatements  = "statements"
	queryElapsed     = "elapsed"
	queryWindows     = "windows"
)

// Query is one query of the nested data source, as its editor, a variable or an annotation sends it.
type Query struct {
	// QueryType is runs, measures, comparison, endpoints, differences, statements, elapsed or windows.
	QueryType string `json:"queryType"`
	// Root and Kind narrow runs and windows; empty means all.
	Root string `json:"root,omitempty"`
	Kind string `json:"kind,omitempty"`
	// Side is the side of measures; Baseline and Candidate are those of everything that compares.
	Side      string `json:"side,omitempty"`
	Baseline  string `json:"baseline,omitempty"`
	Candidate string `json:"candidate,omitempty"`
	Profile   string `json:"profile,omitempty"`
	// Measure is the measure of elapsed: requestsPerSecond, p95, mean, waiting or cores.
	Measure string `json:"measure,omitempty"`
	// Format is "numbers" for measures and comparison as plain numbers; empty is for people.
	Format string `json:"format,omitempty"`
}

// QueryData implements backend.QueryDataHandler. One query that fails does not fail its neighbours.
func (i *Instance) QueryData(ctx context.Context, req *backend.QueryDataRequest) (*backend.QueryDataResponse, error) {
	ctx, cancel := context.WithTimeout(withTold(ctx), requestTimeout)
	defer cancel()
	resp := backend.NewQueryDataResponse()
	for _, q := range req.Queries {
		start := time.Now()
		frames, err := i.query(ctx, q)
		r := backend.DataResponse{Frames: frames, Status: backend.StatusOK}
		if err != nil {
			r = queryError(err)
		}
		for _, f := range frames {
			f.RefID = q.RefID
		}
		resp.Responses[q.RefID] = r
		i.op.telemetry.request("query", fmt.Sprintf("%dxx", int(r.Status)/100), time.Since(start))
	}
	return resp, nil
}

// queryError is what a panel shows: the cause and the next step.
func queryError(err error) backend.DataResponse {
	p := toProblem(err)
	source := backend.ErrorSourcePlugin
	if p.status < http.StatusInternalServerError || p.status == http.StatusBadGateway || p.status == http.StatusGatewayTimeout {
		source = backend.ErrorSourceDownstream
	}
	return backend.DataResponse{Error: fmt.Errorf("%s. %s %s", p.title, p.detail, p.next), Status: backend.Status(p.status), ErrorSource: source}
}

func (i *Instance) query(ctx context.Context, dq backend.DataQuery) (data.Frames, error) {
	var q Query
	if err := json.Unmarshal(dq.JSON, &q); err != nil {
		return nil, badParameter("query", "it is not JSON of the expected shape: "+err.Error())
	}
	if q.QueryType == "" {
		q.QueryType = dq.QueryType
	}
	if q.Format != "" && q.Format != formatNumbers {
		return nil, badParameter("format", quoted(q.Format)+" is not numbers; leave it out for a table")
	}
	switch q.QueryType {
	case queryRuns:
		rows, unread, err := i.rows(ctx, q)
		if err != nil {
			return nil, err
		}
		f := runsFrame(rows)
		f.AppendNotices(unread...)
		return data.Frames{f}, nil
	case queryWindows:
		rows, unread, err := i.rows(ctx, q)
		if err != nil {
			return nil, err
		}
		f := windowsFrame(rows, q, dq.TimeRange)
		f.AppendNotices(unread...)
		return data.Frames{f}, nil
	case queryMeasures:
		if q.Side == "" {
			return nil, badParameter("side", "choose a side in the query editor, or a dashboard variable that holds one")
		}
		prof, prob := i.profileNamed(q.Profile)
		if prob != nil {
			return nil, prob
		}
		m, err := i.measure(ctx, q.Side, prof)
		if err != nil {
			return nil, err
		}
		if q.Format == formatNumbers {
			return data.Frames{measureNumbers(m.side)}, nil
		}
		return data.Frames{measuresFrame(m.side)}, nil
	case queryComparison, queryEndpoints, queryDifferences, queryStatements, queryElapsed:
		return i.comparisonFrames(ctx, q, dq.TimeRange)
	case "":
		return nil, badParameter("queryType", "choose what to query in the query editor")
	default:
		return nil, badParameter("queryType", quoted(q.QueryType)+" is not one of runs, measures, comparison, endpoints, differences, statements, elapsed and windows")
	}
}

func (i *Instance) comparisonFrames(ctx context.Context, q Query, tr backend.TimeRange) (data.Frames, error) {
	for name, v := range map[string]string{"baseline": q.Baseline, "candidate": q.Candidate} {
		if v == "" {
			return nil, badParameter(name, "choose a side in the query editor, or a dashboard variable that holds one")
		}
	}
	c, err := i.comparison(ctx, q.Baseline, q.Candidate, q.Profile, false)
	if err != nil {
		return nil, err
	}
	var frame *data.Frame
	switch q.QueryType {
	case queryComparison:
		if q.Format == formatNumbers {
			return data.Frames{comparisonNumbers(c)}, nil
		}
		return data.Frames{verdictFrame(c), tableFrame(c)}, nil
	case queryEndpoints:
		frame = endpointsFrame(c)
	case queryDifferences:
		frame = differencesFrame(c)
	case queryStatements:
		frame = statementsFrame(c)
	default:
		return elapsedFrames(c, q, tr)
	}
	return data.Frames{frame}, nil
}

// rows lists the runs that a query narrows down to, and says which roots could not be read for it.
func (i *Instance) rows(ctx context.Context, q Query) (out []sideRun, unread []data.Notice, err error) {
	listing, err := i.sides(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range listing.Roots {
		if !r.Readable && (q.Root == "" || r.Name == q.Root) {
			unread = append(unread, data.Notice{Severity: data.NoticeSeverityWarning, Text: "Root " + r.Name + ": " + r.Message})
		}
	}
	for n := range listing.Sides {
		s := &listing.Sides[n]
		if q.Root != "" && s.Root != q.Root {
			continue
		}
		if q.Side != "" && s.ID != q.Side {
			continue
		}
		for m := range s.Runs {
			if q.Kind == "" || string(s.Runs[m].Kind) == q.Kind {
				out = append(out, sideRun{s, &s.Runs[m]})
			}
		}
	}
	return out, unread, nil
}

type sideRun struct {
	side *SideRow
	run  *RunRow
}

// notices puts what a number cannot say beside the frame: limitations, gates that failed, warnings.
func notices(c *compare.Comparison) []data.Notice {
	var out []data.Notice
	if !c.Comparable {
		out = append(out, data.Notice{Severity: data.NoticeSeverityError, Text: "The two sides are not comparable: see the identity card."})
	}
	out = append(out, gateNotices("baseline: ", &c.Sides.Baseline)...)
	out = append(out, gateNotices("candidate: ", &c.Sides.Candidate)...)
	for _, l := range c.Limitations {
		out = append(out, data.Notice{Severity: data.NoticeSeverityInfo, Text: l.Text})
	}
	return out
}

// gateNotices names the gates of a side that failed, each after prefix.
func gateNotices(prefix string, s *evidence.Side) []data.Notice {
	var out []data.Notice
	for _, g := range s.Gates {
		if g.State == evidence.GateFailed {
			out = append(out, data.Notice{Severity: data.NoticeSeverityWarning, Text: prefix + "gate " + g.Code + " failed: " + g.Detail})
		}
	}
	return out
}
