package proxymock

import "strconv"

// Counted writes a number with its noun, as every message about files does: "1 pair", "0 pairs", "1,200 pairs".
func Counted[T int | int64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	digits := strconv.FormatInt(int64(n), 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits + " " + many
}
