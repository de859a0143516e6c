package catalog

import (
	"path"
	"regexp"
	"strings"
	"time"
)

// Names say where to look; what a file is gets decided by its content. The patterns below are those of
// proxymock's own writers and of the public lab scripts.
var (
	// pairByTime is the pair's time stamp in RFC 3339 with T as _ and : as -, zeros trimmed.
	pairByTime = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}(\.\d{1,9})?Z\.(md|json)$`)
	// pairByUUID is written by suite tooling, straight into the directory of the run.
	pairByUUID = regexp.MustCompile(`^(IN|OUT)-[0-9a-fA-F-]{36}Z?\.(md|json)$`)
	// pairOldest is the form of early 2025, with colons.
	pairOldest = regexp.MustCompile(`^rrpair-.+\.(md|json)$`)

	resultName   = regexp.MustCompile(`^((failed|load|functional|replay|result|summary)[-_].+|.+[-_](summary|result)|summary|result|load|functional)\.json$`)
	memberOfSide = regexp.MustCompile(`^(functional|load|mock)([-_]?\d+)?$`)
)

// Well-known names inside a run or a side.
const (
	sideFileName      = "side.json"
	evidenceFileName  = "evidence.json"
	windowName        = "window.json"
	profileWindowName = "profile-window.json"
	verdictName       = "replay-verdict.json"
	summaryName       = "summary.json"
	resultJSONName    = "result.json"
	failedSummaryName = "failed-summary.json"
)

// notResults match resultName but are other files of proxymock or of its labs.
var notResults = map[string]bool{verdictName: true, "replay-configs.json": true}

// ignoredDirs never hold runs: foreign answers, transform rules, snapshot bindings, tool state.
var ignoredDirs = map[string]bool{
	"responses": true, "blueprints": true, "testconfigs": true, "secrets": true, "dataframes": true,
	"node_modules": true, "fix-prompts": true, "vendor": true,
}

// foreignDocs are documents people keep beside pairs; proxymock never writes pairs by these names.
var foreignDocs = map[string]bool{
	"readme.md": true, "expectations.md": true, "digest.md": true, "loop.md": true, "evidence.md": true,
	"report.prompt.md": true, "agent_task.md": true, "changelog.md": true,
}

// ignoreDir says whether discovery leaves a directory out. Hidden directories are tool state, except
// .speedscale, where the tool of early 2025 put its pairs.
func ignoreDir(name string) bool {
	return ignoredDirs[name] || (strings.HasPrefix(name, ".") && name != "." && name != ".speedscale")
}

// ignoreFile says whether a file is a left-over: hidden or temporary.
func ignoreFile(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, "~")
}

// looksLikePair says whether a name is one that proxymock or its tooling gives to a pair.
func looksLikePair(name string) bool {
	return pairByTime.MatchString(name) || pairByUUID.MatchString(name) || pairOldest.MatchString(name) || isLines(name)
}

// isLines says whether a file may hold one pair per line, as snapshot and cloud artefacts do.
func isLines(name string) bool { return path.Ext(name) == ".jsonl" }

// maybePair says whether a file beside real pairs may be one that was renamed by hand.
func maybePair(name string) bool {
	ext := path.Ext(name)
	return (ext == ".md" && !foreignDocs[strings.ToLower(name)]) ||
		(ext == ".json" && !isResultName(name) && !isKnownJSON(name))
}

func isResultName(name string) bool { return resultName.MatchString(name) && !notResults[name] }

func isKnownJSON(name string) bool {
	switch name {
	case sideFileName, evidenceFileName, windowName, profileWindowName, verdictName, "report.json", "drift.json",
		"snapshot.json", "checks.json", "budgets.json", "faults.json", "reference.json":
		return true
	}
	return false
}

func isLogName(name string) bool { return path.Ext(name) == ".log" }

// timeOfPairName reads the time stamp out of a pair's file name. It is a hint for ordering only; the
// pair's own ts is what counts.
func timeOfPairName(name string) (time.Time, bool) {
	if !pairByTime.MatchString(name) {
		return time.Time{}, false
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(name, path.Ext(name)), "Z")
	t, err := time.Parse("2006-01-02_15-04-05.999999999", stem)
	return t.UTC(), err == nil
}
