/** Bars of what whoever holds the database, or misuses the kernel's key, cannot do unnoticed. */
import type { Bar } from './proof-bars.ts'
import { buildRubiconCommand } from './proof-command.ts'
import { findAt, judgeAtLeast, judgeNone, toCount } from './proof-judge.ts'
import type { Sizes } from './proof-sizes.ts'

/** I18: whatever is not signed for is found. */
export function buildAtRestBar(sizes: Sizes, store: 'sqlite' | 'postgres'): Bar {
  const cases = sizes.atRest[store]
  return {
    name: `tamper-at-rest-${store}`,
    bar: `tamper --at-rest on ${store}: every change without keys is found, nothing is signed over`,
    command: buildRubiconCommand('sim', 'tamper', '--at-rest', '--cases', cases, '--store', store),
    judge: ({ cases: done, missed, signed_over, false_alarms }) =>
      judgeNone({ missed, signed_over, false_alarms }, toCount(done), cases),
  }
}

export function forge({ forgeries, honest, scenarios, storms }: Sizes): Bar {
  return {
    name: 'forge',
    bar: 'forge: nothing missed by whoever must find it, no alarm about honest decisions',
    command: buildRubiconCommand(
      ...['sim', 'forge', '--cases', forgeries, '--honest', honest],
      ...['--scenarios', scenarios, '--storms', storms],
    ),
    judge: (result) => {
      const faults = {
        rubicon: findAt(result, 'missed', 'rubicon'),
        oracle: findAt(result, 'missed', 'oracle'),
        law: findAt(result, 'missed', 'law'),
        false_alarms: findAt(result, 'honest', 'false_alarms'),
      }
      return [
        judgeNone(faults, toCount(findAt(result, 'cases')), forgeries),
        judgeAtLeast('honest decisions', findAt(result, 'honest', 'decisions'), honest),
        judgeAtLeast('scenarios', findAt(result, 'honest', 'ledgers', 'scenario'), scenarios),
        judgeAtLeast('storms', findAt(result, 'honest', 'ledgers', 'storm'), storms),
      ]
    },
  }
}
