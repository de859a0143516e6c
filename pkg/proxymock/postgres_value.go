package proxymock

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// PostgresValue is one bound parameter.
type PostgresValue struct {
	// Raw is the value's bytes: text, or the binary form of the type.
	Raw []byte
	// Binary tells which of the two it is.
	Binary bool
	// OID is the type's number in pg_type, 0 when unknown.
	OID uint32
	// Null is SQL NULL; Raw is nil then.
	Null bool
}

// postgresEpoch is the zero of Postgres' binary timestamps, which count microseconds.
var postgresEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// String shows the value: text as it is, binary integers, floats, booleans, uuids and timestamps
// decoded, other binary data as \x hex like Postgres' own bytea output.
func (v PostgresValue) String() string {
	if v.Null {
		return "NULL"
	}
	if !v.Binary {
		if utf8.Valid(v.Raw) {
			return string(v.Raw)
		}
		return `\x` + hex.EncodeToString(v.Raw)
	}
	const (
		oidBool, oidInt8, oidInt2, oidInt4, oidText    = 16, 20, 21, 23, 25
		oidFloat4, oidFloat8, oidVarchar               = 700, 701, 1043
		oidTimestamp, oidTimestampTZ, oidUUID, oidJSON = 1114, 1184, 2950, 114
	)
	b := v.Raw
	switch {
	case (v.OID == oidInt8 || v.OID == 0) && len(b) == 8:
		return strconv.FormatInt(int64(binary.BigEndian.Uint64(b)), 10)
	case (v.OID == oidInt4 || v.OID == 0) && len(b) == 4:
		return strconv.FormatInt(int64(int32(binary.BigEndian.Uint32(b))), 10)
	case v.OID == oidInt2 && len(b) == 2:
		return strconv.FormatInt(int64(int16(binary.BigEndian.Uint16(b))), 10)
	case v.OID == oidBool && len(b) == 1:
		return strconv.FormatBool(b[0] != 0)
	case v.OID == oidFloat8 && len(b) == 8:
		return strconv.FormatFloat(math.Float64frombits(binary.BigEndian.Uint64(b)), 'g', -1, 64)
	case v.OID == oidFloat4 && len(b) == 4:
		return strconv.FormatFloat(float64(math.Float32frombits(binary.BigEndian.Uint32(b))), 'g', -1, 32)
	case v.OID == oidUUID && len(b) == 16:
		return formatUUID(b)
	case (v.OID == oidTimestamp || v.OID == oidTimestampTZ) && len(b) == 8:
		switch micros := int64(binary.BigEndian.Uint64(b)); micros {
		case math.MaxInt64:
			return "infinity"
		case math.MinInt64:
			return "-infinity"
		}
		// Seconds and the rest apart: microseconds of far dates overflow a duration.
		micros := int64(binary.BigEndian.Uint64(b))
		return time.Unix(postgresEpoch.Unix()+micros/1e6, micros%1e6*1000).UTC().Format(time.RFC3339Nano)
	case (v.OID == oidText || v.OID == oidVarchar || v.OID == oidJSON) && utf8.Valid(b):
		return string(b)
	}
	return `\x` + hex.EncodeToString(b)
}

// AnswerMismatch says in words that the completion tag cannot belong to the statement, "" when it can. The
// recorder can pair a statement with a later answer; such a pair's duration means nothing.
func (pg *Postgres) AnswerMismatch() string {
	if pg.CompleteTag == "" || len(pg.CompleteTags) > 1 {
		return ""
	}
	statement := pg.Normalised
	if statement == "" {
		statement = pg.Query
	}
	statement = strings.TrimSuffix(strings.TrimSpace(statement), ";")
	if strings.Contains(statement, ";") {
		return ""
	}
	verb, _, _ := strings.Cut(strings.ToUpper(statement), " ")
	allowed, known := answerTags[verb]
	tag, _, _ := strings.Cut(strings.ToUpper(pg.CompleteTag), " ")
	if !known {
		return ""
	}
	for _, a := range strings.Fields(allowed) {
		if a == tag {
			return ""
		}
	}
	return "the answer " + strconv.Quote(clip(pg.CompleteTag, 40)) + " does not belong to " + strconv.Quote(verb)
}

// answerTags lists the first word of the completion tag by the statement's first word. Statements whose tag depends on
// more than that (WITH, EXECUTE, CREATE TABLE AS) are left out.
var answerTags = map[string]string{
	"SELECT": "SELECT", "VALUES": "SELECT", "TABLE": "SELECT", "INSERT": "INSERT", "UPDATE": "UPDATE", "DELETE": "DELETE",
	"MERGE": "MERGE", "BEGIN": "BEGIN", "START": "START BEGIN", "COMMIT": "COMMIT ROLLBACK", "END": "COMMIT ROLLBACK",
	"ROLLBACK": "ROLLBACK", "ABORT": "ROLLBACK", "SAVEPOINT": "SAVEPOINT", "RELEASE": "RELEASE", "SET": "SET", "RESET": "RESET",
	"SHOW": "SHOW", "DISCARD": "DISCARD", "FETCH": "FETCH", "TRUNCATE": "TRUNCATE",
}
