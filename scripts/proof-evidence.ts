/** Bars of what whoever holds the database, or misuses the kernel's key, cannot do unnoticed. */
import type { Bar } from './proof-bars.ts'
import { rubicon } from './proof-command.ts'
import { at, atLeast, none, size } from './proof-judge.ts'
import type { Sizes } from './proof-sizes.ts'

/** I18: whatever is not signed for is found. */
export function atRest(sizes: Sizes, store: 'sqlite' | 'postgres'): Bar {
  const cases = sizes.atRest[store]
  return {
    name: `tamper-at-rest-${store}`,
    bar: `tamper --at-rest on ${store}: every change without keys is found, nothing is signed over`,
    command: rubicon('sim', 'tamper', '--at-rest', '--cases', cases, '--store', store),
    judge: ({ cases: done, missed, signed_over, false_alarms }) =>
      none({ missed, signed_over, false_alarms }, size(done), cases),
  }
}

export function forge({ forgeries, honest, scenarios, storms }: Sizes): Bar {
  return {
    name: 'forge',
    bar: 'forge: nothing missed by whoever must find it, no alarm about honest decisions',
    command: rubicon(
      ...['sim', 'forge', '--cases', forgeries, '--honest', honest],
      ...['--scenarios', scenarios, '--storms', storms],
    ),
    judge: (result) => {
      const faults = {
        rubicon: at(result, 'missed', 'rubicon'),
        oracle: at(result, 'missed', 'oracle'),
        law: at(result, 'missed', 'law'),
        false_alarms: at(result, 'honest', 'false_alarms'),
      }
      return [
        none(faults, size(at(result, 'cases')), forgeries),
        atLeast('honest decisions', at(result, 'honest', 'decisions'), honest),
        atLeast('scenarios', at(result, 'honest', 'ledgers', 'scenario'), scenarios),
        atLeast('storms', at(result, 'honest', 'ledgers', 'storm'), storms),
      ]
    },
  }
}
