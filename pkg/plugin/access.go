package plugin

import (
	"context"
	"errors"
	"net/http"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
)

// actionRead is the plugin's own action; plugin.json grants it to Viewers by default.
const actionRead = "replaylab-evidence-app.evidence:read"

// Grafana's organisation roles as the plugin context carries them.
const (
	roleViewer = "Viewer"
	roleEditor = "Editor"
	roleAdmin  = "Admin"
)

// permissionChecker answers whether a user holds an action.
type permissionChecker interface {
	holds(ctx context.Context, login, idToken, action string) (bool, error)
}

// mayRead decides whether the request's user may read evidence. Where Grafana gave the plugin an
// identity of its own, Grafana is asked for the action; where it cannot be asked (managed service
// accounts are off), the organisation role decides as the default grant would. An id token that does
// not verify is a refusal, not a fall-back. Requests without a user come from Grafana itself
// (alerting, health) and were authorised there.
func mayRead(ctx context.Context, user *backend.User, idToken string, checker permissionChecker) *problem {
	const need = "the permission " + actionRead + " (Viewers have it by default)"
	if user == nil {
		return nil
	}
	if checker != nil {
		held, err := checker.holds(ctx, user.Login, idToken, actionRead)
		switch {
		case err == nil && held:
			return nil
		case err == nil:
			return refused(need, nil)
		case !errors.Is(err, errNotAsked):
			return refused(need, err)
		}
	}
	switch user.Role {
	case roleViewer, roleEditor, roleAdmin:
		return nil
	}
	return refused(need, nil)
}

// mayConfigure decides whether the user may see and check configuration drafts. Saving settings is
// Grafana's own API, which demands the same role.
func mayConfigure(user *backend.User) *problem {
	if user != nil && user.Role == roleAdmin {
		return nil
	}
	return refused("the organisation role Admin", nil)
}

func refused(need string, err error) *problem {
	return &problem{
		status: http.StatusForbidden, code: "forbidden", title: "Not allowed",
		detail: "This needs " + need + ".",
		next:   "Ask an administrator of this organisation for it.",
		err:    err,
	}
}
