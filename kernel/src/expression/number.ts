/** Numbers of expressions: exact, and of bounded length, so that nobody can make one that takes long. */
import { compareDecimal, convertMinorUnits, type Decimal } from '../canonical/decimal.ts'
import { LIMITS } from '../limits.ts'

const { digits: MOST_DIGITS } = LIMITS.manifestExpression
const TOO_LARGE = 10n ** BigInt(MOST_DIGITS)

/** Written plainly it has at most that many digits, and so many behind the point; zeros at its end do not count. */
export function isShortNumber({ digits, scale }: Decimal): boolean {
  if (isSmall(digits) && scale <= MOST_DIGITS) return true
  let [left, places] = [digits, scale]
  while (places > 0 && left % 10n === 0n) {
    left /= 10n
    places -= 1
  }
  return isSmall(left) && places <= MOST_DIGITS
}

function isSmall(digits: bigint): boolean {
  return digits < TOO_LARGE && digits > -TOO_LARGE
}

/** To so many digits behind the point; half of the last one goes away from zero. */
export function roundDecimal({ digits, scale }: Decimal, places: number): Decimal {
  if (scale <= places) return { digits, scale }
  const unit = 10n ** BigInt(scale - places)
  const size = digits < 0n ? -digits : digits
  const whole = size / unit + ((size % unit) * 2n >= unit ? 1n : 0n)
  return convertMinorUnits(digits < 0n ? -whole : whole, places)
}

export function chooseSmaller(a: Decimal, b: Decimal): Decimal {
  return compareDecimal(b, a) < 0 ? b : a
}

export function chooseLarger(a: Decimal, b: Decimal): Decimal {
  return compareDecimal(b, a) > 0 ? b : a
}
