// Package stack holds the tests of docker-compose.yml and provisioning/. No container engine runs here: the files
// are loaded with the libraries of those who will read them, and compared with what the same story uses when it
// runs natively.
package stack
