// Package sqlstats turns recorded pairs into a statement inventory: which SQL statements a service
// executed, how often, for which endpoint, how long they took and how many rows came back.
//
// What counts as an execution is one Query or one Execute Prepared Statement message. The Prepare,
// Describe and Bind messages around it are detail: drivers differ in how many they send for the same
// work, so message totals are never compared. Transaction control and session settings are counted
// apart, because they differ between drivers, too.
//
// The package reads what [proxymock.Pair] holds and nothing else: no files, no clock, no metrics.
// The same pairs give the same inventory, in the same order.
package sqlstats
