/** Decimal text as a whole number of its smallest part: arithmetic that loses nothing. */
export type AuditDecimal = { readonly units: bigint; readonly places: number }

export function parseExact(text: string): AuditDecimal {
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), places: fraction.length }
}

/** Digits with at most one point between them, and at most a minus before. */
export function isNumeral(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}

export function addExact(a: AuditDecimal, b: AuditDecimal): AuditDecimal {
  const places = Math.max(a.places, b.places)
  return { units: scaleUnits(a, places) + scaleUnits(b, places), places }
}

export function subtractExact(a: AuditDecimal, b: AuditDecimal): AuditDecimal {
  return addExact(a, { ...b, units: -b.units })
}

export function multiplyExact(a: AuditDecimal, b: AuditDecimal): AuditDecimal {
  return { units: a.units * b.units, places: a.places + b.places }
}

export function toAbsolute(a: AuditDecimal): AuditDecimal {
  return a.units < 0n ? { ...a, units: -a.units } : a
}

export function isGreater(a: AuditDecimal, b: AuditDecimal): boolean {
  const places = Math.max(a.places, b.places)
  return scaleUnits(a, places) > scaleUnits(b, places)
}

function scaleUnits({ units, places }: AuditDecimal, to: number): bigint {
  return units * 10n ** BigInt(to - places)
}
