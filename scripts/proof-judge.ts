/**
 * How a bar is read from what its command printed. A figure that is not there is NaN, which passes no
 * comparison: what could not be read is not met.
 */
export type Judged = { readonly figure: string; readonly met: boolean }

/** What a command printed: looked into with care, since a bar must not pass by accident. */
export type Json = { readonly [name: string]: unknown }

export function findAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = isObject(found) ? found[name] : undefined
  return found
}

/** A count, however it is given. */
export function toCount(value: unknown): number {
  if (typeof value === 'number') return value
  return Array.isArray(value) ? value.length : Number.NaN
}

/** Nothing of what must not be, after at least so much was done. */
export function judgeNone(faults: Json, done = 0, wanted = 0): Judged {
  const shown = Object.entries(faults).map(([name, value]) => `${name} ${toCount(value)}`)
  const clean = Object.values(faults).every((value) => toCount(value) === 0)
  const figure = [...(wanted > 0 ? [`${done} done`] : []), ...shown].join(', ')
  return { figure, met: clean && done >= wanted }
}

export function judgeExactly(wanted: Readonly<Record<string, number>>, found: unknown): Judged {
  const bounds = Object.entries(wanted)
  const figure = bounds.map(
    ([name, bound]) => `${name} ${toCount(findAt(found, name))} (bar ${bound})`,
  )
  const met = bounds.every(([name, bound]) => toCount(findAt(found, name)) === bound)
  return { figure: figure.join(', '), met }
}

export function judgeAtLeast(name: string, value: unknown, bound: number): Judged {
  return { figure: `${name} ${toCount(value)} (bar ${bound})`, met: toCount(value) >= bound }
}

export function judgeAtMost(name: string, value: unknown, bound: number): Judged {
  return { figure: `${name} ${toCount(value)} (at most ${bound})`, met: toCount(value) <= bound }
}

export function judgeBelow(name: string, value: unknown, bound: number): Judged {
  return { figure: `${name} ${toCount(value)} (below ${bound})`, met: toCount(value) < bound }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
