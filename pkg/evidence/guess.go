package evidence

import (
	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// writeWindow settles a guessed window.
const writeWindow = "Write a window.json with the run's start and end beside its summary, then evaluate again."

// guess says that the window was placed by the time of the summary's file and how far off it may be; empty for
// a window that a file or the pairs state. The time of a copied file is that of the copy.
func (m *measurement) guess() string {
	w := m.side.Window
	if w == nil || w.Source != catalog.SourceSummary {
		return ""
	}
	return sentence("the window is a guess from the time of the summary's file (±%s s, more for a copied file) and may lie beside the run", significant(w.Uncertainty, 3))
}

// doubtWindow puts the guess beside everything that is missing in a guessed window, so that a window beside the
// run is not read as a service that was down or idle.
func (m *measurement) doubtWindow(x *promapi.Exact) {
	guess := m.guess()
	if guess == "" {
		return
	}
	for i := range x.Gates {
		switch g := &x.Gates[i]; g.Code {
		case promapi.GateBase, promapi.GateFinal, promapi.GateCount:
			if g.State == promapi.GateFailed {
				g.Detail, g.Next = g.Detail+"; "+guess, writeWindow
			}
		}
	}
	switch x.State {
	case promapi.StateOK:
	case promapi.StateAbsent:
		// A name in the profile may be wrong as well.
		x.Message, x.Next = x.Message+"; "+guess, writeWindow+" "+x.Next
	default:
		x.Message, x.Next = x.Message+"; "+guess, writeWindow
	}
}
