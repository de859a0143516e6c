package stat

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Batch is what one scrape step added to the numerator and the denominator of a ratio, for instance
// seconds waited and seconds of request duration.
type Batch struct {
	Numerator   float64 `json:"numerator"`
	Denominator float64 `json:"denominator"`
}

// MinBatches is the number of batches from which a ratio carries an interval; below it the standard
// error of so few batches says little.
const MinBatches = 10

// RatioResult is a ratio of sums with its uncertainty.
type RatioResult struct {
	// Ratio is sum(numerator)/sum(denominator): exact, whatever the number of batches.
	Ratio float64 `json:"ratio"`
	// Batches is the number of batches with any activity.
	Batches int `json:"batches"`
	// StdErr is the standard error; nil below MinBatches.
	StdErr *float64 `json:"stdErr"`
	// Low and High are the interval from Student's t with Batches-1 degrees of freedom; nil below MinBatches.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// ErrZeroDenominator says that a ratio has nothing to divide by: no requests, no time.
var ErrZeroDenominator = errors.New("the denominator is zero")

// Ratio estimates sum(numerator)/sum(denominator) with the ratio estimator over batch means, which
// allows for autocorrelation inside a batch:
//
//	se = sqrt(sum (W_j - r D_j)^2 / (m (m-1))) / mean(D)
//
// Sources: W. G. Cochran, Sampling Techniques, chapter 6; A. M. Law, Simulation Modeling and
// Analysis (batch means). Idle batches, where both are 0, are left out.
func Ratio(batches []Batch, alpha float64) (RatioResult, error) {
	var num, den float64
	active := make([]Batch, 0, len(batches))
	for i, b := range batches {
		if math.IsNaN(b.Numerator) || math.IsNaN(b.Denominator) || math.IsInf(b.Numerator, 0) || math.IsInf(b.Denominator, 0) {
			return RatioResult{}, fmt.Errorf("batch %d is not a number", i)
		}
		num += b.Numerator
		den += b.Denominator
		if b.Numerator != 0 || b.Denominator != 0 {
			active = append(active, b)
		}
	}
	if den == 0 {
		return RatioResult{}, ErrZeroDenominator
	}
	out := RatioResult{Ratio: num / den, Batches: len(active)}
	if len(active) < MinBatches {
		return out, nil
	}
	m := float64(len(active))
	var squares float64
	for _, b := range active {
		d := b.Numerator - out.Ratio*b.Denominator
		squares += d * d
	}
	se := math.Sqrt(squares/(m*(m-1))) / (den / m)
	half := se * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: m - 1}.Quantile(1-alpha/2)
	low, high := out.Ratio-half, out.Ratio+half
	out.StdErr, out.Low, out.High = &se, &low, &high
	return out, nil
}
