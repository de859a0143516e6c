// Package pg gives a lab or a test a PostgreSQL server of its own: an ordinary installation of the
// machine, started on a free loopback port, with its data in a temporary directory that goes away
// when it stops. It never touches a cluster that the machine runs for itself.
//
// The server refuses to run as root. Where we are root, initdb and the server run as the user
// postgres, or nobody where there is none.
package pg
