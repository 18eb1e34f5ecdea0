/** A store filled in bulk with valid entries, through the store port. */
import { toCanonicalText } from 'rubicon-kernel'
import type { Store, Write } from '../../runtime/src/ports/store.ts'
import type { Progress } from '../../server/src/cli/progress.ts'

const PER_UNIT = 250
const UNITS_AT_ONCE = 8

export async function fillStore(
  store: Store,
  entries: number,
  progress: Progress = () => {},
): Promise<void> {
  let left = entries - (await store.countLeaves())
  let number = 0
  const commitUnit = (count: number): Promise<unknown> => {
    const writes: Write[] = Array.from({ length: count }, () => {
      number += 1
      const payload = toCanonicalText({
        details: { detail: 'x'.repeat(300), number },
        finding: 'inconclusive',
        intent_id: `sha256:${'0'.repeat(64)}`,
        salt: 'AAAAAAAAAAAAAAAAAAAAAA==',
        source: 'probe',
      })
      return { kind: 'append', trajectory: 'main', entry: 'evidence', payload }
    })
    return store.commit({ guards: [], writes })
  }
  while (left > 0) {
    const units: Promise<unknown>[] = []
    for (let i = 0; i < UNITS_AT_ONCE && left > 0; i++) {
      units.push(commitUnit(Math.min(PER_UNIT, left)))
      left -= PER_UNIT
    }
    await Promise.all(units)
    progress(entries - Math.max(0, left), entries)
  }
}
