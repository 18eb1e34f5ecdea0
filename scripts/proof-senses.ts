import type { Bar } from './proof-bars.ts'
import { npm, rubicon } from './proof-command.ts'
import { atLeast, below, type Json, none, size } from './proof-judge.ts'
import type { Sizes } from './proof-sizes.ts'

/** What finds mistakes, shown by mistakes; and what is refused without one. */
export function senses(sizes: Sizes): readonly Bar[] {
  return [
    {
      name: 'findings',
      bar: 'findings: every one repaired, its tests red when the mistake is made again',
      command: npm('findings', '--', ...sizes.findings, '--json'),
      judge: ({ green, red, missing, unguarded }) =>
        none({ red, missing, unguarded }, size(green), 1),
    },
    {
      name: 'planted',
      bar: 'planted: the storm catches every bug made on purpose',
      command: rubicon('sim', 'planted'),
      judge: ({ bugs, caught }) => ({
        figure: `${size(caught)} of ${size(bugs)}`,
        met: size(bugs) > 0 && caught === bugs,
      }),
    },
    {
      name: 'hostile',
      bar: 'hostile: no trick succeeds, and each would with the mistake it is meant for',
      command: rubicon('sim', 'hostile', '--seeds', sizes.seeds),
      judge: ({ seeds, attempts, succeeded }) => [
        none({ succeeded }, size(seeds), sizes.seeds),
        atLeast('attempts', size(attempts), sizes.seeds * 10),
      ],
    },
    {
      name: 'hostile-planted',
      bar: 'hostile-planted: every trick succeeds against its mistake',
      command: rubicon('sim', 'hostile-planted'),
      judge: ({ tricks, succeeded }) => ({
        figure: `${size(succeeded)} of ${size(tricks)}`,
        met: size(tricks) >= 40 && succeeded === tricks,
      }),
    },
    {
      name: 'parsing',
      bar: 'parsing: every row its code, under 10 ms',
      command: rubicon('sim', 'parsing'),
      judge: (result) => {
        const rows: readonly Json[] = Array.isArray(result) ? result : []
        const wrong = rows.filter(({ code, expected }) => code !== expected)
        const slowest = Math.max(...rows.map(({ ms }) => size(ms)))
        return [none({ wrong }, rows.length, 12), below('slowest ms', slowest, 10)]
      },
    },
  ]
}
