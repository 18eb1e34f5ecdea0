import type { Bar } from './proof-bars.ts'
import { buildNpmCommand, buildRubiconCommand } from './proof-command.ts'
import { type Json, judgeAtLeast, judgeBelow, judgeNone, toCount } from './proof-judge.ts'
import type { Sizes } from './proof-sizes.ts'

/** Kinds of credentials that there are, and pages and files of a small installation, at least. */
const CREDENTIALS = 18
const PLACES = 200

/** What finds mistakes, shown by mistakes; and what is refused without one. */
export function listSenseBars(sizes: Sizes): readonly Bar[] {
  return [
    {
      name: 'findings',
      bar: 'findings: every one repaired, its tests red when the mistake is made again',
      command: buildNpmCommand('findings', '--', ...sizes.findings, '--json'),
      judge: ({ green, red, missing, unguarded }) =>
        judgeNone({ red, missing, unguarded }, toCount(green), 1),
    },
    {
      name: 'planted',
      bar: 'planted: the storm catches every bug made on purpose',
      command: buildRubiconCommand('sim', 'planted'),
      judge: ({ bugs, caught }) => ({
        figure: `${toCount(caught)} of ${toCount(bugs)}`,
        met: toCount(bugs) > 0 && caught === bugs,
      }),
    },
    {
      name: 'hostile',
      bar: 'hostile: no trick succeeds, and each would with the mistake it is meant for',
      command: buildRubiconCommand('sim', 'hostile', '--seeds', sizes.seeds),
      judge: ({ seeds, attempts, succeeded }) => [
        judgeNone({ succeeded }, toCount(seeds), sizes.seeds),
        judgeAtLeast('attempts', toCount(attempts), sizes.seeds * 10),
      ],
    },
    {
      name: 'hostile-planted',
      bar: 'hostile-planted: every trick succeeds against its mistake',
      command: buildRubiconCommand('sim', 'hostile-planted'),
      judge: ({ tricks, succeeded }) => ({
        figure: `${toCount(succeeded)} of ${toCount(tricks)}`,
        met: toCount(tricks) >= 40 && succeeded === tricks,
      }),
    },
    {
      name: 'canary',
      bar: 'canary: one credential of every kind in use, and none seen again anywhere',
      command: buildRubiconCommand('sim', 'canary'),
      judge: ({ leaks, unused, credentials, places_searched: searched }) => [
        judgeNone({ leaks, unused }, toCount(credentials), CREDENTIALS),
        judgeAtLeast('places searched', searched, PLACES),
      ],
    },
    {
      name: 'parsing',
      bar: 'parsing: every row its code, under 10 ms',
      command: buildRubiconCommand('sim', 'parsing'),
      judge: (result) => {
        const rows: readonly Json[] = Array.isArray(result) ? result : []
        const wrong = rows.filter(({ code, expected }) => code !== expected)
        const slowest = Math.max(...rows.map(({ ms }) => toCount(ms)))
        return [judgeNone({ wrong }, rows.length, 12), judgeBelow('slowest ms', slowest, 10)]
      },
    },
  ]
}
