package pgwire

import (
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"
)

// The types below are the Postgres half of a pair, in the shape proxymock gives
// it: one key naming the message on either side.

type requestBody struct {
	SSL      *empty           `json:"ssl,omitempty"`
	Startup  *messageList     `json:"startup,omitempty"`
	Query    *queryRequest    `json:"query,omitempty"`
	Parse    *parseRequest    `json:"parse,omitempty"`
	Describe *describeRequest `json:"describe,omitempty"`
	Bind     *bindRequest     `json:"bind,omitempty"`
	Execute  *executeRequest  `json:"execute,omitempty"`
	// Terminate is the client's farewell; its pair has an empty response.
	Terminate *empty `json:"terminate,omitempty"`
}

type responseBody struct {
	SSL      *sslResponse      `json:"ssl,omitempty"`
	Startup  *messageList      `json:"startup,omitempty"`
	Query    *messageList      `json:"query,omitempty"`
	Parse    *completeResponse `json:"parse,omitempty"`
	Describe *messageList      `json:"describe,omitempty"`
	Bind     *completeResponse `json:"bind,omitempty"`
	Execute  *messageList      `json:"execute,omitempty"`
}

type payload struct {
	Request  requestBody  `json:"request"`
	Response responseBody `json:"response"`
}

type empty struct{}

type sslResponse struct {
	WillingToEncrypt bool `json:"willingToEncrypt"`
}

type messageList struct {
	Messages []any `json:"messages,omitempty"`
}

type completeResponse struct {
	Complete *empty       `json:"complete,omitempty"`
	Error    *errorFields `json:"error,omitempty"`
}

type queryRequest struct {
	Query string `json:"query"`
}

type parseRequest struct {
	Name                   string          `json:"name,omitempty"`
	Query                  string          `json:"query"`
	ParameterOIDs          []uint32        `json:"parameterOids,omitempty"`
	DescribedParameterOIDs []uint32        `json:"describedParameterOids,omitempty"`
	DescribedRow           *rowDescription `json:"describedRow,omitempty"`
}

type describeRequest struct {
	ObjectType string        `json:"objectType"`
	Name       string        `json:"name,omitempty"`
	Parse      *parseRequest `json:"parseRequest,omitempty"`
}

type bindRequest struct {
	Portal               string        `json:"portal,omitempty"`
	PreparedStatement    string        `json:"preparedStatement,omitempty"`
	ParameterFormatCodes []int16       `json:"parameterFormatCodes,omitempty"`
	Parameters           []value       `json:"parameters,omitempty"`
	ResultFormatCodes    []int16       `json:"resultFormatCodes,omitempty"`
	Parse                *parseRequest `json:"parseRequest,omitempty"`
}

type executeRequest struct {
	Portal  string       `json:"portal,omitempty"`
	MaxRows uint32       `json:"maxRows,omitempty"`
	Bind    *bindRequest `json:"bindRequest,omitempty"`
}

// value is text where the bytes are valid UTF-8 (binary integers often are) and
// base64 otherwise.
type value struct {
	AsString *string `json:"asString,omitempty"`
	AsBytes  []byte  `json:"asBytes,omitempty"`
	IsNull   bool    `json:"isNull,omitempty"`
}

func valueOf(data []byte) value {
	switch {
	case data == nil:
		return value{IsNull: true}
	case utf8.Valid(data):
		return value{AsString: new(string(data))}
	}
	return value{AsBytes: data}
}

func valuesOf(rows [][]byte) []value {
	values := make([]value, len(rows))
	for i, data := range rows {
		values[i] = valueOf(data)
	}
	return values
}

type rowDescription struct {
	Fields []field `json:"fields,omitempty"`
}

type field struct {
	Name                 string `json:"name,omitempty"`
	TableOID             uint32 `json:"tableOid,omitempty"`
	TableAttributeNumber uint16 `json:"tableAttributeNumber,omitempty"`
	DataTypeOID          uint32 `json:"dataTypeOid,omitempty"`
	// DataTypeSize is -1 as 4294967295, as the files spell it.
	DataTypeSize uint32 `json:"dataTypeSize,omitempty"`
	TypeModifier int32  `json:"typeModifier,omitempty"`
	Format       int16  `json:"format,omitempty"`
}

func rowDescriptionOf(m *pgproto3.RowDescription) *rowDescription {
	row := &rowDescription{Fields: make([]field, len(m.Fields))}
	for i, f := range m.Fields {
		row.Fields[i] = field{
			Name: string(f.Name), TableOID: f.TableOID, TableAttributeNumber: f.TableAttributeNumber,
			DataTypeOID: f.DataTypeOID, DataTypeSize: uint32(int32(f.DataTypeSize)), TypeModifier: f.TypeModifier, Format: f.Format,
		}
	}
	return row
}

type errorFields struct {
	Severity            string `json:"severity,omitempty"`
	SeverityUnlocalized string `json:"severityUnlocalized,omitempty"`
	Code                string `json:"code,omitempty"`
	Message             string `json:"msg,omitempty"`
	Detail              string `json:"detail,omitempty"`
	Hint                string `json:"hint,omitempty"`
	Position            int32  `json:"position,omitempty"`
	Where               string `json:"where,omitempty"`
	SchemaName          string `json:"schemaName,omitempty"`
	TableName           string `json:"tableName,omitempty"`
	ColumnName          string `json:"columnName,omitempty"`
	ConstraintName      string `json:"constraintName,omitempty"`
	File                string `json:"file,omitempty"`
	Line                int32  `json:"line,omitempty"`
	Routine             string `json:"routine,omitempty"`
}

func errorOf(e *pgproto3.ErrorResponse) *errorFields {
	return &errorFields{
		Severity: e.Severity, SeverityUnlocalized: e.SeverityUnlocalized, Code: e.Code, Message: e.Message, Detail: e.Detail, Hint: e.Hint,
		Position: e.Position, Where: e.Where, SchemaName: e.SchemaName, TableName: e.TableName, ColumnName: e.ColumnName,
		ConstraintName: e.ConstraintName, File: e.File, Line: e.Line, Routine: e.Routine,
	}
}

// one wraps a message in the key that names it.
func one(name string, content any) map[string]any { return map[string]any{name: content} }
