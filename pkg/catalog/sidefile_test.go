package catalog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSideFileTables(t *testing.T) {
	t.Parallel()
	s, err := ParseSideFile(strings.NewReader(`{"label":"slow=0","tables":{"orders":0,"order_items":12}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int64{"orders": 0, "order_items": 12}, s.Tables); diff != "" {
		t.Errorf("tables differ (-want +got):\n%s", diff)
	}
	for name, text := range map[string]string{
		"negative": `{"tables":{"orders":-1}}`, "no number": `{"tables":{"orders":"many"}}`, "a fraction": `{"tables":{"orders":0.5}}`,
	} {
		if _, err := ParseSideFile(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "tables") && !strings.Contains(err.Error(), `table "orders"`) {
			t.Errorf("%s: error %v does not name the table", name, err)
		}
	}
	// A statement recording beside a load run says nothing of the tables before the load.
	both, conflicts := merge(s, &SideFile{Label: "slow=0"})
	if diff := cmp.Diff(s.Tables, both.Tables); diff != "" || len(conflicts) != 0 {
		t.Errorf("merged tables differ (-want +got):\n%s%v", diff, conflicts)
	}
	both, _ = merge(&SideFile{}, s)
	if diff := cmp.Diff(s.Tables, both.Tables); diff != "" {
		t.Errorf("merged tables differ (-want +got):\n%s", diff)
	}
}
