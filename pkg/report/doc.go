// Package report writes a comparison for its readers: as text for a terminal, as Markdown for a pull
// request, and as evidence.json, which a JSON Schema describes. It shows what the comparison says and
// calculates nothing of its own.
package report
