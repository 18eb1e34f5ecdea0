/** The bars of artifacts: laws of deltas, edits and merges of published files, and how fast symbols and former texts are found. */
import type { Bar } from './proof-bars.ts'
import { buildRubiconCommand } from './proof-command.ts'
import {
  findAt,
  type Json,
  type Judged,
  judgeAtLeast,
  judgeBelow,
  judgeExactly,
  judgeNone,
  toCount,
} from './proof-judge.ts'
import type { Sizes } from './proof-sizes.ts'

/** Finding a symbol among a million, in microseconds. */
const LOOKUP_US = 1_000
/** Seeing artifacts as they were at any event, in milliseconds. */
const SCRUB_MS = 100

export function listArtifactBars(sizes: Sizes): readonly Bar[] {
  return [
    buildDeltasBar(sizes),
    buildEditsBar(sizes),
    buildMergeBar(sizes),
    ...listSpeedBars(sizes),
  ]
}

function buildDeltasBar({ batches }: Sizes): Bar {
  const permutations = Math.min(100, batches)
  const counts = ['--cases', batches, '--violations', batches, '--permutations', permutations]
  return {
    name: 'artifacts-deltas',
    bar: 'sim artifacts: 1,000 batches undone in any order, the same bytes in any order, 1,000 of 1,000 mistakes refused',
    command: buildRubiconCommand('sim', 'artifacts', ...counts),
    judge: ({ batches: done, not_restored, failures, violations }) => [
      judgeNone({ not_restored, failures }, toCount(done), batches),
      judgeExactly({ seeded: batches, refused: batches }, violations),
    ],
  }
}

function buildEditsBar({ edited }: Sizes): Bar {
  return {
    name: 'artifacts-edits',
    bar: 'bench artifacts: in published files no edit touches another line, all are taken back, and TypeScript finds none of them broken',
    command: buildRubiconCommand('bench', 'artifacts', '--files', edited),
    judge: (result) => {
      const { other_lines, not_restored, applied } = Object(result.edits) as Json
      const broken = findAt(result, 'judge', 'broken')
      const { different, only_ours } = Object(result.rename) as Json
      return [
        judgeNone({ other_lines, not_restored, broken, different, only_ours }, toCount(applied), 1),
        { figure: `ok ${result.ok}`, met: result.ok === true },
      ]
    },
  }
}

function buildMergeBar({ merged, pairs }: Sizes): Bar {
  return {
    name: 'merge',
    bar: 'bench merge: nothing merged wrongly, every hidden conflict refused, and more additions at one place merged than by lines',
    command: buildRubiconCommand('bench', 'merge', '--files', merged, '--pairs', pairs),
    judge: (result) => [
      judgeNone({
        wrong_classes: findAt(result, 'classes', 'wrong'),
        wrong_modules: findAt(result, 'modules', 'wrong'),
        wrong_versions: findAt(result, 'versions', 'wrong'),
      }),
      judgeAtLeast(
        'hidden conflicts refused %',
        findAt(result, 'semantic', 'refused_percent'),
        100,
      ),
      judgeMore(result, 'classes'),
      judgeMore(result, 'modules'),
    ],
  }
}

function judgeMore(result: Json, what: 'classes' | 'modules'): Judged {
  const ours = toCount(findAt(result, what, 'merged_percent'))
  const lines = toCount(findAt(result, what, 'git_merged_percent'))
  return { figure: `${what} merged ${ours} % (by lines ${lines} %)`, met: ours > lines }
}

function listSpeedBars({ symbols, events }: Sizes): readonly Bar[] {
  return [
    {
      name: 'index',
      bar: 'bench index: any symbol of a million found within a millisecond (p99), by name, path or prefix',
      command: buildRubiconCommand('bench', 'index', '--symbols', symbols),
      judge: (result) => [
        judgeAtLeast('symbols', result.symbols, symbols),
        ...['exact', 'by_path', 'by_name', 'by_prefix'].map((way) =>
          judgeBelow(`${way} p99 us`, findAt(result, way, 'p99_us'), LOOKUP_US),
        ),
      ],
    },
    {
      name: 'scrub',
      bar: 'bench scrub: artifacts as they were at any of 10,000 events within 100 ms, also in a process that has read nothing',
      command: buildRubiconCommand('bench', 'scrub', '--events', events),
      judge: (result) => [
        judgeAtLeast('events', result.events, events),
        judgeBelow('scrub max ms', findAt(result, 'scrub', 'max_ms'), SCRUB_MS),
        judgeBelow('cold max ms', findAt(result, 'cold', 'max_ms'), SCRUB_MS),
      ],
    },
  ]
}
