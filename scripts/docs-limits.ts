/** The page of limits, from the file that has them all. */
type Limit = { readonly name: string; readonly value: string; readonly says: string }

const COMMENT = /^ {2}\/\*\* (.*) \*\/$/
const MEMBER = /^ {2}(\w+): (.+),$/

export function renderLimitsPage(source: string): string {
  const rows = parseLimits(source).map(
    ({ name, value, says }) => `| \`${name}\` | ${value} | ${says} |`,
  )
  return [
    '# Limits',
    '',
    'Every input and every list has a limit. All limits are in one file, `kernel/src/limits.ts`; this page is generated from it by',
    '`node scripts/docs-reference.ts`. A contract can set a stricter limit if it has a member for it; nothing can exceed these limits.',
    '',
    '| limit | value | bounds |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** Each limit says in the comment before it what it bounds: a number alone tells a reader nothing. */
function parseLimits(source: string): readonly Limit[] {
  const limits: Limit[] = []
  let says = ''
  for (const line of source.split('\n')) {
    const comment = COMMENT.exec(line)
    if (comment !== null) says = (comment[1] ?? '').replace(/\.$/, '')
    const member = MEMBER.exec(line)
    if (member === null) continue
    const [, name = '', value = ''] = member
    if (says === '') throw new Error(`\`${name}\` in kernel/src/limits.ts has no comment`)
    limits.push({ name, value: formatLimit(name, value), says })
    says = ''
  }
  return limits
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
]

/** Digits in groups; times also in the unit that a person would use. */
function formatLimit(name: string, value: string): string {
  const grouped = value
    .replaceAll(/(?<=\d)_(?=\d)/g, ',')
    .replaceAll(/[{}]/g, '')
    .trim()
  if (!name.endsWith('Ms')) return grouped
  const ms = Number(value.replaceAll('_', ''))
  const [unit, size] = UNITS.find(([, one]) => ms >= one && ms % one === 0) ?? ['ms', 1]
  return unit === 'ms' ? `${grouped} ms` : `${ms / size} ${unit}`
}
