package sqlstats

// stateClasses are the classes (first two characters) of SQLSTATE codes that an application meets.
// Source: PostgreSQL documentation, appendix A "PostgreSQL Error Codes".
var stateClasses = map[string]string{
	"02": "no data",
	"03": "SQL statement not yet complete",
	"08": "connection exception",
	"0A": "feature not supported",
	"20": "case not found",
	"21": "cardinality violation",
	"22": "data exception",
	"23": "integrity constraint violation",
	"24": "invalid cursor state",
	"25": "invalid transaction state",
	"26": "invalid SQL statement name",
	"28": "invalid authorization specification",
	"2B": "dependent privilege descriptors still exist",
	"2D": "invalid transaction termination",
	"2F": "SQL routine exception",
	"34": "invalid cursor name",
	"38": "external routine exception",
	"3B": "savepoint exception",
	"3D": "invalid catalog name",
	"3F": "invalid schema name",
	"40": "transaction rollback",
	"42": "syntax error or access rule violation",
	"44": "WITH CHECK OPTION violation",
	"53": "insufficient resources",
	"54": "program limit exceeded",
	"55": "object not in prerequisite state",
	"57": "operator intervention",
	"58": "system error",
	"F0": "configuration file error",
	"P0": "PL/pgSQL error",
	"XX": "internal error",
}

// stateNames are single codes that people look for by name. Same source.
var stateNames = map[string]string{
	"22P02": "invalid text representation",
	"23502": "not null violation",
	"23503": "foreign key violation",
	"23505": "unique violation",
	"23514": "check violation",
	"25P02": "in failed transaction",
	"40001": "serialization failure",
	"40P01": "deadlock detected",
	"42501": "insufficient privilege",
	"42601": "syntax error",
	"42703": "undefined column",
	"42883": "undefined function",
	"42P01": "undefined table",
	"42P05": "duplicate prepared statement",
	"3F000": "invalid schema name",
	"53300": "too many connections",
	"55P03": "lock not available",
	"57014": "query canceled",
	"57P01": "admin shutdown",
}

// meaning explains a SQLSTATE by its name, else by its class.
func meaning(code string) string {
	if name, ok := stateNames[code]; ok {
		return name
	}
	if len(code) >= 2 {
		if class, ok := stateClasses[code[:2]]; ok {
			return class
		}
	}
	return "unknown code"
}
