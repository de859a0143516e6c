package proxymock

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// MockCounts says how a mock answered the application's outbound calls.
type MockCounts struct {
	// Hits were answered from the recording.
	Hits int64
	// Misses found nothing in it.
	Misses int64
	// Passthroughs went to the real dependency: such a run was not isolated.
	Passthroughs int64
	// Unknown were observed without a known answer.
	Unknown int64
	// MissDetails describe the first misses; MissesDropped counts those beyond the first 200.
	MissDetails   []MockMiss
	MissesDropped int64
	// PassDetails describe the first 200 passthroughs: misses, too, that the real dependency answered.
	PassDetails []MockMiss
}

// MockMiss is one outbound call that the recording could not answer.
type MockMiss struct {
	// Line is the log's line, counted from 1; 0 when the miss does not come from a log.
	Line int
	// Text is the log line, clipped to 1000 bytes; values of known secret parameters are masked.
	Text string
	// Method and URL are the call as far as the line names them.
	Method, URL string
	// File is the pair's file as a tuning summary lists it.
	File string
}

const (
	maxMisses    = 200
	maxMissBytes = 1000
)

// Observed is the number of outbound calls that were seen at all. Zero means that the source says nothing
// about misses, not that there were none.
func (m *MockCounts) Observed() int64 { return m.Hits + m.Misses + m.Passthroughs + m.Unknown }

// AddPair counts one pair that the mock server wrote; other pairs are left out.
func (m *MockCounts) AddPair(p *Pair) {
	if p.Kind() != KindMock {
		return
	}
	switch p.Match() {
	case MatchHit:
		m.Hits++
	case MatchMiss:
		m.Misses++
		m.addMiss(missOfPair(p))
	case MatchPassthrough:
		m.Passthroughs++
		m.addPass(missOfPair(p))
	default:
		m.Unknown++
	}
}

func missOfPair(p *Pair) MockMiss {
	if p.HTTP != nil {
		return MockMiss{Method: p.HTTP.Method, URL: maskURI(p.HTTP.URI)}
	}
	return MockMiss{Method: p.Command, URL: p.Location}
}

func (m *MockCounts) addPass(miss MockMiss) {
	if len(m.PassDetails) < maxMisses {
		m.PassDetails = append(m.PassDetails, miss)
	}
}

func (m *MockCounts) addMiss(miss MockMiss) {
	if len(m.MissDetails) >= maxMisses {
		m.MissesDropped++
		return
	}
	m.MissDetails = append(m.MissDetails, miss)
}

var (
	// mockWord finds the answer words as writers spell them; lower-case prose does not count.
	mockWord = regexp.MustCompile(`\b(PASSTHROUGH|NO[_ -]MATCH|MISS|HIT|MATCH)\b`)
	// mockTotal finds counters of a closing line ("HIT=120"), which must not be counted as one call.
	mockTotal = regexp.MustCompile(`\b(?:PASSTHROUGH|NO[_ -]MATCH|MISS|HIT|MATCH)"?\s*[=:]\s*\d`)
	mockCall  = regexp.MustCompile(`\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)[ :"]+((?:https?://|/)[^\s"']*)`)
	mockURL   = regexp.MustCompile(`(?:https?://[^\s"'?]*|/[^\s"'?]*)\?[^\s"')]*`)
)

// ParseMockLog reads the log of a mock server line by line: a line with the word PASSTHROUGH, NO_MATCH (or
// MISS) or HIT (or MATCH) in capitals is one outbound call. The layout around the words is not fixed, so
// nothing else is asked of a line; closing lines with counters are passed over. A log that names no call
// gives Observed() == 0, which is unknown, not zero misses. An empty log is [ErrIncomplete].
func ParseMockLog(r io.Reader) (*MockCounts, error) {
	counts := &MockCounts{}
	reader := bufio.NewReaderSize(r, 64<<10)
	empty := true
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read mock log at line %d: %w", number, err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			empty = false
			counts.addLine(number, line)
		}
		if err != nil {
			break
		}
	}
	if empty {
		return nil, fmt.Errorf("mock log is empty: %w", ErrIncomplete)
	}
	return counts, nil
}

func (m *MockCounts) addLine(number int, line []byte) {
	words := mockWord.FindAll(line, -1)
	if len(words) == 0 || mockTotal.Match(line) {
		return
	}
	// A line may say that nothing matched and that it was passed on; what happened last counts.
	hit, miss, passed := false, false, false
	for _, word := range words {
		switch string(word) {
		case "PASSTHROUGH":
			passed = true
		case "HIT", "MATCH":
			hit = true
		default:
			miss = true
		}
	}
	switch {
	case passed:
		m.Passthroughs++
		m.addPass(missOf(number, line))
	case miss:
		m.Misses++
		m.addMiss(missOf(number, line))
	case hit:
		m.Hits++
	}
}

func missOf(number int, line []byte) MockMiss {
	text := string(mockURL.ReplaceAllFunc(line, func(u []byte) []byte { return []byte(maskURI(string(u))) }))
	miss := MockMiss{Line: number, Text: clip(text, maxMissBytes)}
	if call := mockCall.FindStringSubmatch(text); call != nil {
		miss.Method, miss.URL = call[1], strings.TrimRight(call[2], ",;)")
	}
	return miss
}

// String gives the counts as one line.
func (m *MockCounts) String() string {
	if m == nil || m.Observed() == 0 {
		return "mock answers unknown"
	}
	text := Counted(m.Hits, "mock hit", "mock hits") + ", " + Counted(m.Misses, "miss", "misses") + ", " +
		Counted(m.Passthroughs, "passthrough", "passthroughs")
	if m.Unknown > 0 {
		text += ", " + Counted(m.Unknown, "unknown answer", "unknown answers")
	}
	return text
}
