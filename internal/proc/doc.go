// Package proc starts child processes and ends every one of them.
//
// Each child leads its own process group, so that a Ctrl-C in the terminal reaches us alone and
// we decide the order in which children stop. A [Supervisor] ends what it started in reverse
// order: first a polite signal to the child, which may have children of its own to end, then,
// after a grace period, SIGKILL to the whole group. Output goes to log files; an error shows the
// last lines of the log, because that is what the reader would look up next.
package proc
