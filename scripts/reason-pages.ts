/**
 * Writes `docs/reasons/`: a page for every reason code, from the kernel's table and the example
 * that a test runs. `--check` writes nothing and exits 1 when a page is missing, stale or too many.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { REASON_CODES, REASONS, type ReasonCode } from 'rubicon-kernel'
import { getReasonPlace, PLACES } from '../runtime/src/reasons/places.ts'

type Example = {
  readonly code: string
  readonly kind: string
  readonly title: string
  readonly input: unknown
  readonly common_mistakes?: string
  readonly todo?: string
}

const EXAMPLES = new URL('../testdata/reasons/', import.meta.url)
const PAGES = new URL('../docs/reasons/', import.meta.url)

const CASE = '`kernel/src/compile/case-documents.test-support.ts`'
const ENGINE = '`runtime/src/reasons/example-engine.test-support.ts`'
const SAMPLE = '`verifier/src/samples/sample-ledger.test-support.ts`'

/** Kind → how the input is to be read, and the test that runs it. */
const KINDS: Readonly<Record<string, { readonly reads: string; readonly test: string }>> = {
  compile: { reads: `What differs from the base case in ${CASE}:`, test: 'kernel' },
  dispatch: {
    reads: `What differs from the base case in ${CASE}, and passes until the final check:`,
    test: 'kernel',
  },
  lock: { reads: 'What is needed, who holds what, and how long it waited:', test: 'kernel' },
  governor: { reads: 'The refusals of one flow, in order:', test: 'kernel' },
  decision: {
    reads: 'What differs from a valid request with its decision and facts:',
    test: 'kernel',
  },
  asking: { reads: 'What is known when an agent escalates:', test: 'kernel' },
  arbitration: {
    reads: 'What the rules say of the topic, how the event stands, and a bid for it:',
    test: 'kernel',
  },
  context: {
    reads: `What differs from the base case in ${CASE} when its context is assembled:`,
    test: 'kernel',
  },
  parse: {
    reads: 'The body of a proposal (`$dfid` is that of the flow; `%` counts the repetitions):',
    test: 'runtime',
  },
  engine: { reads: `A script for a real engine on a memory store (${ENGINE}):`, test: 'runtime' },
  outcome: {
    reads: `A script for a real engine and a scripted provider (${ENGINE}):`,
    test: 'runtime',
  },
  registry: { reads: `A script for a real engine (${ENGINE}):`, test: 'runtime' },
  ledger: { reads: `How the sample ledger in ${SAMPLE} is damaged:`, test: 'verifier' },
}

function renderPage(code: ReasonCode, example: Example): string {
  const { producer, gate, gate_code, transient, http, means, why, fix } = REASONS[code]
  const kind = KINDS[example.kind]
  if (kind === undefined) throw new Error(`${code}: \`${example.kind}\` is no kind of example`)
  const { common_mistakes: mistakes } = example
  return [
    `# ${code}`,
    renderSection('Means', toSentence(means)),
    renderSection('Why', toSentence(why)),
    renderSection('Fix', toSentence(fix)),
    ...(mistakes === undefined ? [] : [renderSection('Common mistakes', mistakes)]),
    renderSection(
      'Facts',
      renderTable([
        ['producer', producer],
        ['stage', getReasonPlace(code).stage],
        ['gate', gate === null ? 'none' : `${gate}, \`${gate_code}\``],
        ['class', transient ? 'transient: does not count as a retry of the agent' : 'final'],
        ['HTTP status', String(http)],
      ]),
    ),
    renderSection(
      'Example',
      [
        toSentence(example.title),
        kind.reads,
        `\`\`\`json\n${formatInput(example.input)}\n\`\`\``,
        ...(example.todo === undefined ? [] : [`**Not yet:** ${example.todo}.`]),
        `Run by the test \`${code}\` in \`${kind.test}/src/reason-examples.test.ts\`.`,
      ].join('\n\n'),
    ),
    '',
  ].join('\n')
}

/** Escaped where a reader could be deceived by what it looks like. */
function formatInput(input: unknown): string {
  const text = JSON.stringify(input, null, 2)
  return text.replaceAll(
    /[^\n -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function renderSection(title: string, text: string): string {
  return `\n## ${title}\n\n${text}`
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function renderTable(rows: readonly (readonly [string, string])[]): string {
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n')
}

function index(): string {
  const parts = Object.entries(PLACES).map(([producer, { title }]) => {
    const codes = REASON_CODES.filter((code) => REASONS[code].producer === producer)
    const rows = codes.map((code) => {
      const { means, transient } = REASONS[code]
      return `| [\`${code}\`](${code}.md) | ${means}${transient ? ' *(transient)*' : ''} |`
    })
    return `\n## ${title}\n\n| code | means |\n|---|---|\n${rows.join('\n')}`
  })
  return [
    '# Reason codes',
    '',
    [
      `Every refusal of a proposal, and every finding of a verifier, has one of these ${REASON_CODES.length} codes.`,
      'The list is closed and append-only.',
      'Where several apply, the first one in this list is named; all of them are in the trace.',
      '`rubicon explain CODE` prints a page offline. A server, a start or a command that fails has an [error code](../reference/errors.md).',
    ].join(' '),
    '',
    [
      'The pages are written by `node scripts/reason-pages.ts` from `kernel/src/reason.ts` and',
      '`testdata/reasons/`; each example is run by a test named after its code.',
    ].join(' '),
    ...parts,
    '',
  ].join('\n')
}

function readExample(code: ReasonCode): Example {
  const file = new URL(`${code}.json`, EXAMPLES)
  if (!existsSync(file)) throw new Error(`${code} has no example: add \`${fileURLToPath(file)}\``)
  return JSON.parse(readFileSync(file, 'utf8')) as Example
}

function renderPages(): ReadonlyMap<string, string> {
  const pages = new Map([['README.md', index()]])
  for (const code of REASON_CODES) pages.set(`${code}.md`, renderPage(code, readExample(code)))
  return pages
}

/** What is wrong with the folder, one line each. */
function findProblems(wanted: ReadonlyMap<string, string>): readonly string[] {
  const found: string[] = []
  for (const [name, text] of wanted) {
    const file = new URL(name, PAGES)
    if (!existsSync(file)) found.push(`docs/reasons/${name} is missing`)
    else if (readFileSync(file, 'utf8') !== text) found.push(`docs/reasons/${name} is stale`)
  }
  for (const name of listSuperfluous(wanted)) found.push(`docs/reasons/${name} belongs to no code`)
  return found
}

function listSuperfluous(wanted: ReadonlyMap<string, string>): readonly string[] {
  return existsSync(PAGES) ? readdirSync(PAGES).filter((name) => !wanted.has(name)) : []
}

function write(wanted: ReadonlyMap<string, string>): void {
  mkdirSync(PAGES, { recursive: true })
  for (const name of listSuperfluous(wanted)) rmSync(new URL(name, PAGES))
  for (const [name, text] of wanted) writeFileSync(new URL(name, PAGES), text)
}

const wanted = renderPages()
if (process.argv.includes('--check')) {
  const found = findProblems(wanted)
  for (const line of found) console.error(line)
  if (found.length > 0) console.error('run: node scripts/reason-pages.ts')
  process.exitCode = found.length === 0 ? 0 : 1
} else {
  write(wanted)
  console.log(`docs/reasons: ${wanted.size} pages`)
}
