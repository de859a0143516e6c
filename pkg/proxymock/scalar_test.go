package proxymock

import (
	"encoding/json"
	"testing"
)

// Texts are those that the standard decoder makes of them, whether they have to be unescaped or not.
func TestFlexString(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ text, want string }{
		"plain":          {`"GET"`, "GET"},
		"empty":          {`""`, ""},
		"escaped":        {`"a\"b\\c\nd\u00e9"`, "a\"b\\c\ndé"},
		"only escape":    {`"\\"`, `\`},
		"not ASCII":      {`"größe 漢"`, "größe 漢"},
		"invalid":        {"\"a\xffb\"", "a\uFFFDb"},
		"number":         {`84`, "84"},
		"boolean":        {`true`, "true"},
		"null":           {`null`, ""},
		"object":         {`{"a":"b"}`, ""},
		"list":           {`["a"]`, ""},
		"surrogate pair": {`"\ud83d\ude00"`, "😀"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got struct{ V flexString }
			if err := json.Unmarshal([]byte(`{"V":`+tc.text+`}`), &got); err != nil || string(got.V) != tc.want {
				t.Errorf("%s is read as %q, %v; want %q", tc.text, got.V, err, tc.want)
			}
			var direct flexString
			if err := direct.UnmarshalJSON([]byte(tc.text)); err != nil || string(direct) != tc.want {
				t.Errorf("%s is %q, %v; want %q", tc.text, direct, err, tc.want)
			}
		})
	}
}
