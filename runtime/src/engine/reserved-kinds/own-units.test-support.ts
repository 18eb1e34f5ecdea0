import type { Engine } from '../engine.ts'
import type { ReservedHands } from '../engine-context.ts'

/** Reserved kinds as they were before they became part of the unit of their dispatch, and as stores still hold them. */
export function takeUnitsOfTheirOwn({ context }: Engine): void {
  const hands = Object.entries(context.reservedHands).map(
    ([kind, { act, ask }]): [string, ReservedHands] => [kind, { act, ask }],
  )
  Object.assign(context, { reservedHands: Object.fromEntries(hands) })
}
