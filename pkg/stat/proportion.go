package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is a closed interval with its point estimate.
type Interval struct {
	Point float64 `json:"point"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Wilson returns the score interval of a proportion, x of n, at error probability alpha.
// Source: E. B. Wilson 1927.
func Wilson(x, n int64, alpha float64) (Interval, error) {
	if err := checkProportion(x, n); err != nil {
		return Interval{}, err
	}
	z := distuv.UnitNormal.Quantile(1 - alpha/2)
	nf, p := float64(n), float64(x)/float64(n)
	centre := (p + z*z/(2*nf)) / (1 + z*z/nf)
	half := z / (1 + z*z/nf) * math.Sqrt(p*(1-p)/nf+z*z/(4*nf*nf))
	return Interval{Point: p, Low: math.Max(0, centre-half), High: math.Min(1, centre+half)}, nil
}

// Newcombe returns the difference of two proportions, candidate minus baseline, with its hybrid score
// interval (R. G. Newcombe 1998, method 10) at error probability alpha.
func Newcombe(baselineX, baselineN, candidateX, candidateN int64, alpha float64) (Interval, error) {
	b, err := Wilson(baselineX, baselineN, alpha)
	if err != nil {
		return Interval{}, fmt.Errorf("baseline: %w", err)
	}
	c, err := Wilson(candidateX, candidateN, alpha)
	if err != nil {
		return Interval{}, fmt.Errorf("candidate: %w", err)
	}
	d := c.Point - b.Point
	return Interval{
		Point: d,
		Low:   d - math.Hypot(c.Point-c.Low, b.High-b.Point),
		High:  d + math.Hypot(c.High-c.Point, b.Point-b.Low),
	}, nil
}

// ZeroEventsUpper is the one-sided upper limit of the true rate after 0 events in n trials:
// 1 - alpha^(1/n), which the rule of three approximates as 3/n at alpha = 0.05.
func ZeroEventsUpper(n int64, alpha float64) (float64, error) {
	if n < 1 || alpha <= 0 || alpha >= 1 {
		return 0, fmt.Errorf("upper limit after 0 of %d: %w", n, ErrNoObservations)
	}
	return -math.Expm1(math.Log(alpha) / float64(n)), nil
}

func checkProportion(x, n int64) error {
	if n < 1 {
		return fmt.Errorf("a share of %d: %w", n, ErrNoObservations)
	}
	if x < 0 || x > n {
		return fmt.Errorf("a share of %d in %d is not possible", x, n)
	}
	return nil
}
