package host

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
)

// queryRequest is the body of POST /api/ds/query. Times are Unix milliseconds as text.
type queryRequest struct {
	From    string            `json:"from"`
	To      string            `json:"to"`
	Queries []json.RawMessage `json:"queries"`
}

// queryHead is what Grafana reads of a query before it passes it on as it is.
type queryHead struct {
	RefID         string `json:"refId"`
	QueryType     string `json:"queryType"`
	MaxDataPoints int64  `json:"maxDataPoints"`
	IntervalMs    int64  `json:"intervalMs"`
	DataSource    struct {
		UID string `json:"uid"`
	} `json:"datasource"`
}

// queryData serves POST /api/ds/query for the data source that the first query names.
func (s *Server) queryData(w http.ResponseWriter, r *http.Request) {
	who := identify(r)
	org := s.orgs.get(who.org)
	var req queryRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&req); err != nil || len(req.Queries) == 0 {
		grafanaError(w, http.StatusBadRequest, fmt.Sprintf("the body is not a list of queries: %v", err))
		return
	}
	queries, uid, err := dataQueries(req)
	if err != nil {
		grafanaError(w, http.StatusBadRequest, err.Error())
		return
	}
	ds, found := org.dataSource(uid)
	if !found {
		grafanaError(w, http.StatusNotFound, "Data source not found")
		return
	}
	p, found := s.plugin(ds.Type)
	if !found {
		grafanaError(w, http.StatusNotFound, "the host has no plugin "+ds.Type)
		return
	}
	proc, err := s.pool.get(r.Context(), p)
	if err != nil {
		s.unavailable(w, err)
		return
	}
	resp, err := proc.data.QueryData(r.Context(), backend.ToProto().QueryDataRequest(&backend.QueryDataRequest{
		PluginContext: s.pluginContext(p, who, org, &ds), Queries: queries, Headers: map[string]string{},
	}))
	if err != nil {
		s.unavailable(w, err)
		return
	}
	answer, err := backend.FromProto().QueryDataResponse(resp)
	if err != nil {
		s.unavailable(w, err)
		return
	}
	code := http.StatusOK
	for _, part := range answer.Responses {
		if part.Error != nil {
			code = http.StatusMultiStatus
		}
	}
	writeJSON(w, code, answer)
}

func dataQueries(req queryRequest) (queries []backend.DataQuery, uid string, err error) {
	span := backend.TimeRange{}
	for _, bound := range []struct {
		text string
		into *time.Time
	}{{req.From, &span.From}, {req.To, &span.To}} {
		ms, err := strconv.ParseInt(bound.text, 10, 64)
		if err != nil {
			return nil, "", fmt.Errorf("the time %q is not in Unix milliseconds", bound.text)
		}
		*bound.into = time.UnixMilli(ms).UTC()
	}
	for _, raw := range req.Queries {
		var head queryHead
		if err := json.Unmarshal(raw, &head); err != nil {
			return nil, "", fmt.Errorf("read a query: %w", err)
		}
		if uid == "" {
			uid = head.DataSource.UID
		}
		queries = append(queries, backend.DataQuery{
			RefID: head.RefID, QueryType: head.QueryType, MaxDataPoints: head.MaxDataPoints,
			Interval: time.Duration(head.IntervalMs) * time.Millisecond, TimeRange: span, JSON: raw,
		})
	}
	return queries, uid, nil
}
