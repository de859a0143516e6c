package runner

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDatabaseURL(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ text, host string }{
		"whole":           {"postgres://orders:secret@db:6543/orders?sslmode=disable", "db:6543"},
		"the usual port":  {"postgresql://orders:secret@db/orders", "db:5432"},
		"another scheme":  {"mysql://orders:secret@db/orders", ""},
		"no database":     {"postgres://orders:secret@db", ""},
		"no host":         {"postgres:///orders", ""},
		"a key-value DSN": {"host=db user=orders password=secret", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, err := parseDatabaseURL(tc.text)
			if tc.host == "" {
				require.Error(t, err)
				require.NotContains(t, err.Error(), "secret", "a password must not reach the screen")
				return
			}
			require.NoError(t, err)
			g := givenDatabase{u}
			require.Equal(t, tc.host, u.Host)
			require.Contains(t, g.URL(), tc.host)
			require.Contains(t, g.URLAt(15432), "@localhost:15432/orders", "the service goes through the recorder")
		})
	}
}
