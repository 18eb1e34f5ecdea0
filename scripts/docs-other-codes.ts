/** The page of codes that no verdict carries, from the tables that `rubicon explain` reads. */
import { REASON_CODES } from '../kernel/src/index.ts'
import { OTHER_REASONS } from '../server/src/cli/explain.ts'

const SAID = {
  server: 'the server, over HTTP',
  engine: 'the engine: over HTTP, in code, and when a runtime starts',
  command: 'the command, and stores',
  agent: 'the agent SDK, to the code of an agent',
} as const

export function renderOtherCodesPage(): string {
  const sections = (Object.keys(SAID) as (keyof typeof SAID)[]).flatMap((said) => [
    '',
    `## Said by ${SAID[said]}`,
    '',
    '| code | means | why | fix |',
    '|---|---|---|---|',
    ...renderRows(said),
  ])
  return [
    '# Codes of errors',
    '',
    'What could not be done, apart from verdicts: an error over HTTP, an error of the command, a runtime that does not',
    'start. Scripts read the code as `code` of a problem, or as `error.code` with `--json`; `rubicon explain CODE` prints the',
    'same. Why a proposal was refused is a [reason code](../reasons/README.md). This page is written by',
    '`node scripts/docs-reference.ts`.',
    ...sections,
    '',
  ].join('\n')
}

/** A code that verdicts carry too has a page of its own. */
function renderRows(said: keyof typeof SAID): readonly string[] {
  const verdicts: readonly string[] = REASON_CODES
  return OTHER_REASONS.filter(([by]) => by === said)
    .flatMap(([, reasons]) => Object.entries(reasons))
    .filter(([code]) => !verdicts.includes(code))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { means, why, fix }]) => `| \`${code}\` | ${means} | ${why} | ${fix} |`)
}
