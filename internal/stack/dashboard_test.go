package stack

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"
)

type reference struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

type dashboard struct {
	UID    string `json:"uid"`
	Title  string `json:"title"`
	Panels []struct {
		ID          int       `json:"id"`
		Type        string    `json:"type"`
		Title       string    `json:"title"`
		Description string    `json:"description"`
		DataSource  reference `json:"datasource"`
		Grid        struct {
			X int `json:"x"`
			Y int `json:"y"`
			W int `json:"w"`
			H int `json:"h"`
		} `json:"gridPos"`
		Targets []struct {
			DataSource reference `json:"datasource"`
			Expr       string    `json:"expr"`
		} `json:"targets"`
	} `json:"panels"`
	Annotations struct {
		List []struct {
			Name       string    `json:"name"`
			BuiltIn    int       `json:"builtIn"`
			DataSource reference `json:"datasource"`
		} `json:"list"`
	} `json:"annotations"`
	Templating struct {
		List []struct {
			Name       string    `json:"name"`
			DataSource reference `json:"datasource"`
		} `json:"list"`
	} `json:"templating"`
	Links []struct {
		URL string `json:"url"`
	} `json:"links"`
}

func readDashboard(t *testing.T) dashboard {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "provisioning", "dashboards", "replay-evidence.json"))
	require.NoError(t, err)
	var d dashboard
	require.NoError(t, json.Unmarshal(text, &d))
	return d
}

// The fields of the queries of our own data source are checked beside its editor, in src/datasource.
func TestDashboard(t *testing.T) {
	t.Parallel()
	appID, panelID, _ := pluginIDs(t)
	d := readDashboard(t)
	require.Equal(t, "replay-evidence", d.UID)
	require.Equal(t, "Replay evidence", d.Title)

	sources := dataSources(t)
	provisioned := func(ref reference, where string) {
		ds, found := sources[ref.UID]
		require.True(t, found, "%s: no data source has the uid %q", where, ref.UID)
		require.Equal(t, ds.Type, ref.Type, where)
	}
	ids := map[int]bool{}
	taken := map[[2]int]string{}
	for _, p := range d.Panels {
		require.False(t, ids[p.ID], "two panels have the id %d", p.ID)
		ids[p.ID] = true
		require.LessOrEqual(t, p.Grid.X+p.Grid.W, 24, p.Title)
		for x := p.Grid.X; x < p.Grid.X+p.Grid.W; x++ {
			for y := p.Grid.Y; y < p.Grid.Y+p.Grid.H; y++ {
				require.Empty(t, taken[[2]int{x, y}], "%s lies over another panel", p.Title)
				taken[[2]int{x, y}] = p.Title
			}
		}
		switch p.Type {
		case "row":
		case panelID:
			require.Empty(t, p.Targets, "the panel asks the app")
			require.NotEmpty(t, p.Description, p.Title)
		default:
			require.NotEmpty(t, p.Description, p.Title)
			require.NotEmpty(t, p.Targets, p.Title)
			provisioned(p.DataSource, p.Title)
			for _, target := range p.Targets {
				provisioned(target.DataSource, p.Title)
			}
		}
	}
	require.Equal(t, panelID, d.Panels[0].Type, "the evidence stands on top")
	for _, a := range d.Annotations.List {
		if a.BuiltIn == 0 {
			provisioned(a.DataSource, a.Name)
			require.Equal(t, "replay-evidence", a.DataSource.UID, a.Name)
		}
	}
	names := []string{}
	for _, v := range d.Templating.List {
		provisioned(v.DataSource, v.Name)
		names = append(names, v.Name)
	}
	require.Equal(t, []string{"baseline", "candidate"}, names)
	require.Equal(t, "/a/"+appID+"/compare?baseline=${baseline:percentencode}&candidate=${candidate:percentencode}", d.Links[0].URL)
}

// Each query parses, and asks for nothing that the lab's service and Prometheus do not have.
func TestDashboardAsksForTheLabsMetrics(t *testing.T) {
	t.Parallel()
	given := as(t, provisionedApp(t).JSONData)
	known := regexp.MustCompile(`^(checkout_request_duration_seconds|pricing_conn_wait_seconds)_(bucket|count|sum)$|^app_cpu_seconds_total$|^up$`)
	seen := 0
	for _, p := range readDashboard(t).Panels {
		for _, target := range p.Targets {
			if target.DataSource.Type != "prometheus" {
				continue
			}
			seen++
			expr, err := parser.NewParser(parser.Options{}).ParseExpr(strings.ReplaceAll(target.Expr, "$__rate_interval", "4s"))
			require.NoError(t, err, p.Title)
			parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
				if v, ok := node.(*parser.VectorSelector); ok {
					require.Regexp(t, known, v.Name, p.Title)
					require.Contains(t, v.String(), `job="checkout-api"`, p.Title)
				}
				return nil
			})
		}
	}
	require.Equal(t, 6, seen)
	require.Contains(t, given.Profiles[0].YAML, "checkout_request_duration_seconds")
}
