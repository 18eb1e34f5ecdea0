/**
 * The list of reason codes is closed: texts in one grammar, one producer each, an example and a
 * page each, and no code in the sources that is not in it. A missing one fails here.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type Gate,
  type GateCode,
  getPrecedence,
  isReasonCode,
  REASON_CODES,
  REASONS,
  type ReasonCode,
  type ReasonProducer,
} from './reason.ts'

const ROOT = new URL('../../', import.meta.url)
const EXAMPLES = new URL('testdata/reasons/', ROOT)
const PAGES = new URL('docs/reasons/', ROOT)

/** Where each producer stands. A code is named in the files of its producer, and nowhere else. */
const AREAS: Readonly<Record<ReasonProducer, readonly string[]>> = {
  // A clock may be set after a proposal was let in.
  queue: ['runtime/src/engine/decide/propose.ts', 'runtime/src/engine/rows/passing-failure.ts'],
  parser: ['kernel/src/canonical/', 'kernel/src/proposal/'],
  proof: ['kernel/src/compile/00-proof.ts'],
  // Only the engine can know that there is no such flow, or that one was cancelled.
  repeat: [
    'kernel/src/compile/00-repeat.ts',
    'runtime/src/engine/decide/propose.ts',
    'runtime/src/engine/judge/reject.ts',
    'runtime/src/engine/close/end-flow.ts',
    'runtime/src/engine/arbitrate/end-member.ts',
    'runtime/src/engine/flow/settled.ts',
  ],
  atom: ['kernel/src/compile/00-atom.ts'],
  kind: ['kernel/src/compile/01-kind.ts', 'kernel/src/compile/rules-in-force.ts'],
  signature: ['kernel/src/compile/02-signature.ts'],
  window: ['kernel/src/compile/03-window.ts'],
  // A delegation is refused for the same reasons as a proposal that stands on it.
  scope: ['kernel/src/compile/04-scope.ts', 'kernel/src/writ/attenuate.ts'],
  capability: ['kernel/src/compile/05-capability.ts', 'kernel/src/compile/branch-refusal.ts'],
  budget: ['kernel/src/compile/06-budget.ts'],
  arguments: ['kernel/src/compile/07-arguments.ts'],
  // Limits carry their code in the contract; the reader of contracts fills in what it leaves out.
  preconditions: [
    'kernel/src/compile/08-preconditions.ts',
    'kernel/src/compile/capability-answers.ts',
    'kernel/src/contract/limit-check.ts',
    'kernel/src/contract/resource-scope.ts',
    'kernel/src/contract/parse-limit.ts',
    'kernel/src/contract/flat-form.ts',
    'kernel/src/saga/plan.ts',
  ],
  policy: [
    'kernel/src/compile/09-policy.ts',
    'kernel/src/policy/evaluate.ts',
    'kernel/src/contract/parse-limit.ts',
  ],
  emission: ['kernel/src/compile/10-emission.ts'],
  dispatch: [
    'kernel/src/compile/dispatch-checks.ts',
    'kernel/src/compile/lock-refusal.ts',
    'kernel/src/jit/check.ts',
    'runtime/src/engine/decide/propose.ts',
    'runtime/src/engine/judge/reject.ts',
    'runtime/src/engine/decide/dispatch-staged.ts',
    'runtime/src/engine/effect/carry-out.ts',
    'runtime/src/engine/judge/judge-again.ts',
    'runtime/src/engine/effect/effect.ts',
    'runtime/src/engine/effect/settlement.ts',
    // The record of an event is guarded by whatever is dispatched for it.
    'runtime/src/engine/flow/event-standing.ts',
    // Soft guards are asked at the door of the dispatch.
    'runtime/src/engine/advice/',
  ],
  arbitration: ['kernel/src/arbitration/', 'runtime/src/engine/arbitrate/'],
  governor: [
    'kernel/src/flow/',
    'runtime/src/engine/close/usage.ts',
    'runtime/src/engine/generate/',
    'runtime/src/engine/close/watchdog.ts',
    'runtime/src/engine/close/expire-flows.ts',
    'runtime/src/engine/close/expire-wakes.ts',
    'runtime/src/engine/rows/ended-flow.ts',
    'runtime/src/engine/close/silence.ts',
    'runtime/src/engine/monitors/',
    'runtime/src/engine/judge/rejection-rate.ts',
  ],
  escalation: [
    'kernel/src/escalation/',
    'runtime/src/engine/escalate/',
    'runtime/src/engine/approve/',
    'runtime/src/engine/rows/refusal-failure.ts',
  ],
  outcome: [
    'kernel/src/world/change.ts',
    'runtime/src/engine/effect/',
    'runtime/src/engine/flow/outcome-entries.ts',
    'runtime/src/engine/saga/',
    'runtime/src/engine/compensate/',
  ],
  // A flow is not opened for an agent that cannot be shown its context, and what it is shown comes in here.
  registry: [
    'kernel/src/keys/',
    'kernel/src/contract/instance.ts',
    'kernel/src/contract/lifecycle-machine.ts',
    'kernel/src/context/',
    // Manifests and the expressions in them are parsed by the same readers.
    'kernel/src/expression/',
    'kernel/src/manifest/',
    'runtime/src/tools/',
    'runtime/src/capabilities/',
    'runtime/src/contract-file/',
    'runtime/src/engine/authority/keys.ts',
    'runtime/src/engine/context/',
    'runtime/src/engine/observe/',
    'runtime/src/engine/flow/open.ts',
    'runtime/src/engine/flow/opening-place.ts',
    'runtime/src/engine/flow/opening-request.ts',
    'runtime/src/engine/authority/registry/',
    'runtime/src/engine/rows/registry-unavailable.ts',
    'runtime/src/compose.ts',
  ],
  ledger: [
    'kernel/src/ledger/',
    'verifier/src/',
    'runtime/src/evidence/',
    'runtime/src/engine/ledger/rollback.ts',
    'runtime/src/engine/ledger/open-ledger.ts',
    'runtime/src/engine/ledger/accept-restore.ts',
    'runtime/src/ports/head-mismatch.ts',
    'runtime/src/ports/store-diverged.ts',
  ],
}

/** Files that react to codes, type them or show them, and produce none. */
const READERS: readonly string[] = [
  // What the server may say, as types.
  'agents/src/',
  // No atom is issued for what would be refused, and it is said by the code of that.
  'kernel/src/compile/atom-issue.ts',
  'runtime/src/engine/atoms/',
  // Who lost, and who was halted, as people read it.
  'runtime/src/engine/flow/event-answers.ts',
  // A proof is refused for drift under a code of its own.
  'kernel/src/compile/00-proof.ts',
  'kernel/src/escalation/disposition.ts',
  'kernel/src/escalation/request.ts',
  'kernel/src/flow/governor.ts',
  'kernel/src/ledger/evidence-payload.ts',
  'kernel/src/ledger/monitor-payload.ts',
  'kernel/src/ledger/payload.ts',
  'kernel/src/proof/',
  // An auditor reads what was recorded of them.
  'verifier/src/effects/',
  'verifier/src/compensations/after-failure.ts',
  'verifier/src/compensations/verify-compensated.ts',
  'server/src/',
  'runtime/src/engine/rows/answer.ts',
  'runtime/src/engine/effect/carry-out.ts',
  // The rows of a flow are made again from what was recorded.
  'runtime/src/engine/ledger/divergence/',
  // What is judged once more before a send is refused with the codes of the first time.
  'runtime/src/engine/judge/judge-again.ts',
  'runtime/src/engine/effect/resend.ts',
  'runtime/src/engine/flow/settled.ts',
  'runtime/src/engine/flow/act-answer.ts',
  'runtime/src/engine/flow/entry-answer.ts',
  'runtime/src/engine/authority/registry/suspension-notice.ts',
  'runtime/src/engine/approve/',
  'runtime/src/engine/escalate/',
  'runtime/src/engine/context/fresh-context.ts',
  'runtime/src/engine/notices/',
  'runtime/src/engine/decide/propose.ts',
  'runtime/src/engine/judge/reject.ts',
  'runtime/src/engine/judge/rejection-rate.ts',
  'runtime/src/engine/reserved-kinds/',
  'runtime/src/engine/saga/',
  'runtime/src/engine/compensate/',
  'runtime/src/engine/effect/settle.ts',
  'runtime/src/engine/telemetry/',
  'runtime/src/evidence/law/judge-send.ts',
  // Where a change is tried, a proof counts as made under what is tried.
  'runtime/src/evidence/judge-case.ts',
  'runtime/src/evidence/law/spoken-words.ts',
  'runtime/src/ports/',
  'runtime/src/adapters/',
]

/** Doors beside `propose`: they may fail with the code that a proposal would have met. */
const DOORS: readonly string[] = ['runtime/src/engine/', 'runtime/src/evidence/']

/** Refusals between modules that never reach a verdict: a delta that does not fit its resource. */
const INTERNAL: readonly string[] = ['DELTA_INVALID']

const RUNNERS: readonly string[] = ['kernel', 'runtime', 'verifier'].map(
  (workspace) => `${workspace}/src/reason-examples.test.ts`,
)

type Source = { readonly path: string; readonly text: string }

const SOURCES: readonly Source[] = [
  'kernel/src/',
  'agents/src/',
  'runtime/src/',
  'server/src/',
  'verifier/src/',
]
  .flatMap((folder) => filesOf(folder))
  .filter((path) => path.endsWith('.ts') && !/\.(test|test-support|conformance)\.ts$/.test(path))
  .filter((path) => path !== 'kernel/src/reason.ts' && !path.includes('/conformance/'))
  .map((path) => ({ path, text: read(path) }))

function filesOf(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOf(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
  )
}

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8')
}

type Example = {
  readonly code: string
  readonly kind: string
  readonly title: string
  readonly input: unknown
  /** Why nothing produces the code yet. */
  readonly todo?: string
}

function exampleOf(code: ReasonCode): Example {
  return JSON.parse(readFileSync(new URL(`${code}.json`, EXAMPLES), 'utf8')) as Example
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place))
}

test('every text is in the grammar of the house: lower case, no final period, one line', () => {
  for (const code of REASON_CODES) {
    const { means, why, fix } = REASONS[code]
    for (const text of [means, why, fix]) {
      assert.match(text, /^[a-z0-9`]/, `${code}: \`${text}\` starts in lower case`)
      assert.doesNotMatch(text, /[.!\s]$|\n/, `${code}: \`${text}\` ends without a period`)
    }
    assert.equal(new Set([means, why, fix]).size, 3, `${code} says three things`)
  }
})

test('codes are written in capitals, and none is a property of every object', () => {
  for (const code of REASON_CODES) assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/)
  for (const name of ['constructor', '__proto__', 'toString', ''])
    assert.equal(isReasonCode(name), false)
})

test('precedence is the order of declaration, in the type and in the table', () => {
  const [before = '', table = ''] = read('kernel/src/reason.ts').split('export const REASONS')
  const [, union = ''] = before.split('export type ReasonCode =')
  const typed = [...union.matchAll(/^ {2}\| '(\w+)'/gm)].map((match) => match[1])
  const listed = [...table.matchAll(/^ {2}(\w+): buildReason\(/gm)].map((match) => match[1])
  assert.deepEqual(typed, REASON_CODES)
  assert.deepEqual(listed, REASON_CODES)
  assert.deepEqual(REASON_CODES.map(getPrecedence), [...REASON_CODES.keys()])
})

test('each code has one producer, and the codes of a producer stand together', () => {
  const order = REASON_CODES.map((code) => REASONS[code].producer)
  const runs = order.filter((producer, i) => producer !== order[i - 1])
  assert.deepEqual(runs, Object.keys(AREAS), 'in the order in which a proposal meets them')
})

test('each gate has its one code of the seed', () => {
  const gates: Readonly<Record<Gate, GateCode>> = {
    1: 'SCHEMA_INVALID',
    2: 'RBAC_DENIED',
    3: 'STALE_CONTEXT',
    4: 'RESOURCE_CONTENTION',
    5: 'MISSION_DISSONANCE',
  }
  for (const code of REASON_CODES) {
    const { gate, gate_code, http } = REASONS[code]
    assert.equal(gate_code, gate === null ? null : gates[gate], code)
    assert.ok(http >= 200 && http < 600, code)
  }
})

test('every code has an example and a page; nothing else is there', () => {
  const names = (folder: URL): string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])
  const wanted = [...REASON_CODES].sort()
  assert.deepEqual(
    names(EXAMPLES),
    wanted.map((code) => `${code}.json`),
  )
  assert.deepEqual(
    names(PAGES).filter((name) => name !== 'README.md'),
    wanted.map((code) => `${code}.md`),
    'run: node scripts/reason-pages.ts',
  )
})

test('every example names its code, tells its situation, and has an input', () => {
  const allowed = ['code', 'kind', 'title', 'input', 'common_mistakes', 'todo']
  for (const code of REASON_CODES) {
    const example = exampleOf(code)
    assert.equal(example.code, code)
    assert.match(example.title, /^[a-z][^\n]*[^.\s]$/, code)
    assert.equal(typeof example.input, 'object', code)
    const unknown = Object.keys(example).filter((member) => !allowed.includes(member))
    assert.deepEqual(unknown, [], code)
  }
})

test('every kind of example is run by exactly one test file', () => {
  const runs = RUNNERS.flatMap((path) => {
    const [, list = ''] = /const KINDS: readonly string\[\] = \[([^\]]*)\]/.exec(read(path)) ?? []
    return [...list.matchAll(/'(\w+)'/g)].map((match) => match[1])
  })
  const kinds = REASON_CODES.map((code) => exampleOf(code).kind)
  assert.deepEqual([...runs].sort(), [...new Set(kinds)].sort())
})

test('a refusal in the sources has a code of the list', () => {
  // A failure says `summary` and has codes of its own; everything else that says `code` refuses.
  const patterns = [
    /\bcode: '([A-Z][A-Z0-9_]+)'(?!,\s*summary)/g,
    /\breason_code: '([A-Z][A-Z0-9_]+)'/g,
    /\b(?:refuse\w*|build\w*(?:Refusal|Settlement)|failAttenuation)\('([A-Z][A-Z0-9_]+)'/g,
    /\bbuildUnstoredAnswer\(\w+, '([A-Z][A-Z0-9_]+)'/g,
  ]
  let seen = 0
  // Adapters decide nothing: they throw `StoreError`, whose codes are a list of their own. Contracts of
  // scenarios have words of their own for kernel codes. The server and its client refuse requests, the hands of
  // tools and of artifacts calls, channels messages; none of them refuses proposals.
  const deciding = SOURCES.filter(
    ({ path }) =>
      !/\/adapters\/|^(agents|runtime\/src\/(?:tools|artifacts|channels)|server\/src\/(http|people|demo))\//.test(
        path,
      ),
  )
  for (const { path, text } of deciding) {
    for (const [, code = ''] of patterns.flatMap((pattern) => [...text.matchAll(pattern)])) {
      seen += 1
      assert.ok(isReasonCode(code) || INTERNAL.includes(code), `${path}: \`${code}\` is no reason`)
    }
  }
  assert.ok(seen > 100, `the scan sees refusals: ${seen}`)
})

test('each code is named by its producer, and by nobody else but readers', () => {
  const unproduced: ReasonCode[] = []
  for (const code of REASON_CODES) {
    const area = AREAS[REASONS[code].producer]
    const naming = SOURCES.filter(({ text }) => text.includes(`'${code}'`))
    const strangers = naming
      .filter(({ path }) => !isIn(path, area) && !isIn(path, READERS))
      .filter(({ path, text }) => !isIn(path, DOORS) || !onlyFails(text, code))
      .map(({ path }) => path)
    assert.deepEqual(strangers, [], `${code} belongs to ${area.join(', ')}`)
    if (!naming.some(({ path }) => isIn(path, area))) unproduced.push(code)
  }
  const known = REASON_CODES.filter((code) => exampleOf(code).todo !== undefined)
  assert.deepEqual(unproduced, known, 'a code without a producer says so in its example')
})

/** Every mention of the code is that of a failure, which is no verdict. */
function onlyFails(text: string, code: string): boolean {
  const named = `code: '${code}'`
  const failure = new RegExp(`${named},\\s*summary|toRefusalFailure\\(\\{\\s*${named}`, 'g')
  return !text.replaceAll(failure, '').includes(`'${code}'`)
}

test('every file of an area and every reader is there', () => {
  const places = [...Object.values(AREAS).flat(), ...READERS].filter(
    (place) => !place.endsWith('/'),
  )
  for (const place of places) assert.ok(existsSync(new URL(place, ROOT)), place)
})

test('gate, class and status of a code are those that its page tells', () => {
  for (const code of REASON_CODES) {
    const page = readFileSync(new URL(`${code}.md`, PAGES), 'utf8')
    const { gate, transient, http } = REASONS[code]
    const told = (name: string): string | undefined =>
      new RegExp(`^\\| ${name} \\| (\\w+)`, 'm').exec(page)?.[1]
    assert.deepEqual(
      [told('gate'), told('class'), told('HTTP status')],
      [gate === null ? 'none' : String(gate), transient ? 'transient' : 'final', String(http)],
      code,
    )
  }
})
