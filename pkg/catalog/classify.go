package catalog

import (
	"path"
	"slices"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// choose settles the figures, the kind and the window from what was read.
func (b *builder) choose() {
	r := b.run
	b.chooseResult()
	r.Kind = b.classify()
	b.nameForeign()
	if r.Kind == KindUnknown {
		b.whyUnknown()
	}
	if r.Verdict != nil && r.Verdict.Gate != nil && r.Verdict.Gate.ExitCode != nil && *r.Verdict.Gate.ExitCode != 0 {
		r.GateFailed = true
	}
	bounding := b.sampled
	if replay := r.Kind == KindFunctional || r.Kind == KindLoad; replay && b.stated == nil && !b.partly {
		// Left pairs of another replay would stretch the window to their day.
		bounding, _ = OfOneReplay(r, bounding)
	}
	var problems []Problem
	r.Window, problems = chooseWindow(b.stated, spanOf(bounding, b.partly, r.Kind), b.figures())
	b.add(problems...)
	b.standIn()
	if b.stated != nil && b.stated.window.VUs != nil && r.Window != nil {
		r.Window.Notes = append(r.Window.Notes, "the window file states "+proxymock.Counted(*b.stated.window.VUs, "user", "users"))
	}
	if r.Kind == KindFunctional || r.Kind == KindLoad {
		b.add(clusters(r)...)
	}
}

func (b *builder) chooseResult() {
	r := b.run
	switch {
	case b.raw != nil:
		r.Result, r.ResultFile, r.Written, r.GateFailed = b.raw, b.rawFile.path, b.rawFile.mod, b.failed
		if b.flat != nil {
			if !sameTotals(b.raw, b.flat) {
				b.add(problem(b.flatFile.path, codeConflict, "%s and %s state different totals; %s is used", b.rawFile.name(), b.flatFile.name(), b.rawFile.name()))
			}
			if b.raw.FailIfExitCode == nil {
				b.raw.FailIfExitCode = b.flat.FailIfExitCode
			}
			if b.raw.MatchNote == "" {
				b.raw.MatchNote = b.flat.MatchNote
			}
		}
	case b.flat != nil:
		r.Result, r.ResultFile, r.Written = b.flat, b.flatFile.path, b.flatFile.mod
		r.GateFailed = strings.HasPrefix(b.flatFile.name(), "failed")
	}
	if r.Result != nil && r.Result.FailIfExitCode != nil && *r.Result.FailIfExitCode != 0 {
		r.GateFailed = true
	}
}

// classify decides by content. A match rate or a verdict makes a replay functional; a result without
// them is a load run; without a result the pairs' own tags tell.
func (b *builder) classify() Kind {
	r := b.run
	switch {
	case r.Verdict != nil:
		return KindFunctional
	case r.Result != nil && scored(r.Result):
		return KindFunctional
	case r.Result != nil:
		return KindLoad
	}
	counts := map[proxymock.PairKind]int{}
	for _, p := range b.sampled {
		counts[p.Kind()]++
	}
	if len(counts) > 1 && counts[proxymock.KindReplay] > 0 {
		b.add(problem(r.Path, codeConflict, "the folder mixes %d replayed, %d recorded and %d mocked pairs among those read; point each run at a folder of its own",
			counts[proxymock.KindReplay], counts[proxymock.KindRecording], counts[proxymock.KindMock]))
	}
	switch {
	case counts[proxymock.KindRecording] > 0 && counts[proxymock.KindReplay] == 0:
		return KindRecording
	case counts[proxymock.KindReplay] > 0:
		return KindFunctional
	case counts[proxymock.KindMock] > 0, r.Mock != nil:
		return KindMock
	}
	return KindUnknown
}

// nameForeign names result files that hold another object. Beside recorded or mocked pairs such a file is a
// snapshot's own summary of traffic, and harmless.
func (b *builder) nameForeign() {
	code := codeUnsupported
	if b.run.Kind == KindRecording || b.run.Kind == KindMock {
		code = codeNote
	}
	for _, e := range b.foreign {
		b.add(problem(e.path, code, "is no replay result of a known layout (it has neither endpoints, nor latencyMs and perEndpoint, nor hitRate) and was passed over"))
	}
}

// whyUnknown says why a run could not be classified.
func (b *builder) whyUnknown() {
	r := b.run
	switch {
	case r.PairFiles > 0:
		b.add(problem(r.Path, codeUnreadable, "none of the pair files that were read holds a pair"))
	case b.stated != nil && len(r.Problems) > 0:
		b.add(problem(r.Path, codeMissing, "a window, but no result or pairs that could be read; see what is said of its files"))
	case b.stated != nil:
		b.add(problem(r.Path, codeMissing, "a window without a result or pairs: the run did not finish, or its files were removed; repeat it"))
	case len(r.Problems) == 0:
		b.add(problem(r.Path, codeMissing, "no result and no pairs were found"))
	}
}

// standIn says of a window that stands in for a window file what became of that file, with the window and
// with the file's own problem.
func (b *builder) standIn() {
	r := b.run
	if b.stated != nil {
		return
	}
	at := slices.IndexFunc(r.Problems, func(p Problem) bool { return b.rejected != "" && p.Path == b.rejected })
	if at >= 0 {
		p := &r.Problems[at]
		r.rejected = path.Base(b.rejected) + " was rejected: " + p.Message
		switch {
		case r.Window == nil:
			p.Message += "; no window is known"
		case r.Window.Source == SourcePairs:
			p.Message += "; the window is taken from the pairs instead"
		default:
			p.Message += "; the window is inferred from the result's file time instead"
		}
	}
	if r.Window != nil {
		r.Window.standsIn(r.rejected)
	}
}

func scored(result *proxymock.Result) bool {
	if result.Aggregate != nil {
		return result.Aggregate.MatchPct != nil
	}
	for i := range result.Endpoints {
		if result.Endpoints[i].MatchPct != nil {
			return true
		}
	}
	return false
}

func (b *builder) figures() *figures {
	r := b.run
	active, ok := r.Result.ActiveSeconds()
	if !ok {
		return nil
	}
	return &figures{activeSeconds: active, written: r.Written, path: r.ResultFile, load: r.Kind == KindLoad, requests: *r.Result.Aggregate.Total}
}
