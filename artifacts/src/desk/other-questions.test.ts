import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applySplices } from '../text/splice.ts'
import { askRefused, askWell, KeptTexts, planDeltasOf, type Texts } from './desk.test-support.ts'
import type { PlannedChange } from './desk-answer.ts'
import type { MergePart, PastChange } from './desk-request.ts'
import { createDirectDesk } from './direct-desk.ts'

const desk = createDirectDesk()

const AUTH = `import { hash } from './hash.ts'

/** Who may. */
export class AuthService {
  login(name: string): boolean {
    return name !== ''
  }

  logout(): void {}
}

export function check(name: string): string {
  return hash(name)
}
`
const HASH = 'export function hash(text: string): string {\n  return text\n}\n'

test('symbols are listed with their lines, below a path and so deep as asked', async () => {
  const text = { artifact: 'src/auth.ts', text: AUTH }
  const { symbols } = await askWell(desk, { ask: 'symbols', text })
  const service = symbols.find(({ path }) => path === 'class:AuthService')
  assert.deepEqual([service?.lines, service?.children, service?.order], [[4, 10], 2, 'free'])
  const below = await askWell(desk, { ask: 'symbols', text, below: 'class:AuthService' })
  assert.deepEqual(
    below.symbols.map(({ path }) => path),
    ['class:AuthService/method:login', 'class:AuthService/method:logout'],
  )
  const top = await askWell(desk, { ask: 'symbols', text, depth: 1 })
  assert.ok(top.symbols.every(({ path }) => !path.includes('/method')))
  const missing = await askRefused(desk, { ask: 'symbols', text, below: 'class:Auth' })
  assert.equal(missing.code, 'TARGET_MISSING')
  assert.ok(missing.candidates?.includes('class:AuthService'))
})

test('a slice is one symbol with its comments, and no more of the artifact than that', async () => {
  const text = { artifact: 'src/auth.ts', text: AUTH }
  const slice = await askWell(desk, { ask: 'slice', text, path: 'class:AuthService/method:login' })
  assert.equal(slice.text.trim(), "login(name: string): boolean {\n    return name !== ''\n  }")
  assert.deepEqual(slice.lines.slice(0, 1), [5])
  const whole = await askWell(desk, { ask: 'slice', text, path: '' })
  assert.deepEqual([whole.text, whole.definition_hash], [AUTH, null])
  assert.equal(whole.content_hash, slice.content_hash)
})

function toPast(changes: readonly PlannedChange[], undoes: number | null, seq: number): PastChange {
  const [change] = changes
  assert.ok(change !== undefined)
  return { seq, before: change.before, after: change.after, steps: change.steps, undoes }
}

test('an undo takes back one change and leaves what came later, and names what it writes', async () => {
  const texts = { 'src/auth.ts': AUTH, 'src/hash.ts': HASH }
  const kept = new KeptTexts(texts)
  const body = await planDeltasOf(desk, 'a', texts, {
    'src/auth.ts': [
      { op: 'replaceBody', target: 'function:check', fragment: "{ return hash('x') }" },
    ],
  })
  const first = await kept.apply(desk, body)
  const added = await planDeltasOf(desk, 'b', kept.now, {
    'src/auth.ts': [{ op: 'addMember', target: 'class:AuthService', fragment: 'reset(): void {}' }],
  })
  const second = await kept.apply(desk, added)
  const past = [toPast(first, null, 1), toPast(second, null, 2)]
  const now = { artifact: 'src/auth.ts', text: kept.now['src/auth.ts'] ?? '' }
  const project = [{ artifact: 'src/hash.ts', text: HASH }]
  const parts = [{ now, past, seq: 1 }]
  const { changes } = await askWell(desk, { ask: 'undo', key: 'c', parts, project })
  const [undone] = changes
  assert.ok(undone !== undefined)
  assert.match(undone.after, /return hash\(name\)[\s\S]*$/u)
  assert.match(undone.after, /reset\(\): void/u)
  assert.deepEqual(undone.symbols, ['src/auth.ts function:check'])
  assert.equal(undone.deltas, null)
  // Somebody has written over it.
  const over = await planDeltasOf(desk, 'd', kept.now, {
    'src/auth.ts': [{ op: 'replaceBody', target: 'function:check', fragment: "{ return 'y' }" }],
  })
  const third = await kept.apply(desk, over)
  const blocked = await askRefused(desk, {
    ask: 'undo',
    key: 'c',
    parts: [
      {
        now: { artifact: 'src/auth.ts', text: kept.now['src/auth.ts'] ?? '' },
        past: [...past, toPast(third, null, 3)],
        seq: 1,
      },
    ],
    project,
  })
  assert.deepEqual([blocked.code, blocked.candidates], ['UNDO_BLOCKED', ['3']])
})

test('an undo that would leave others without what they name is refused', async () => {
  const texts: Texts = { 'src/auth.ts': AUTH, 'src/hash.ts': HASH }
  const kept = new KeptTexts(texts)
  const salt = await planDeltasOf(desk, 'a', texts, {
    'src/hash.ts': [{ op: 'addMember', target: '', fragment: "export const salt = 'x'" }],
  })
  const first = await kept.apply(desk, salt)
  const user = await planDeltasOf(desk, 'b', kept.now, {
    'src/auth.ts': [
      { op: 'addImport', from: './hash.ts', name: 'salt' },
      { op: 'replaceBody', target: 'function:check', fragment: '{ return hash(salt) }' },
    ],
  })
  await kept.apply(desk, user)
  const problem = await askRefused(desk, {
    ask: 'undo',
    key: 'c',
    parts: [
      {
        now: { artifact: 'src/hash.ts', text: kept.now['src/hash.ts'] ?? '' },
        past: [toPast(first, null, 1)],
        seq: 1,
      },
    ],
    project: [{ artifact: 'src/auth.ts', text: kept.now['src/auth.ts'] ?? '' }],
  })
  assert.deepEqual([problem.code, problem.artifact], ['DANGLING_REFERENCE', 'src/auth.ts'])
})

function toPart(ours: string, theirs: string, artifact = 'src/auth.ts', base = AUTH): MergePart {
  const [one, other, third] = [base, ours, theirs].map((text) => ({ artifact, text }))
  assert.ok(one !== undefined && other !== undefined && third !== undefined)
  return { base: one, ours: other, theirs: third }
}

test('a merge takes changes of different symbols together, and leaves what both wrote open', async () => {
  const ours = AUTH.replace('logout(): void {}', "logout(): void {\n    console.log('out')\n  }")
  const theirs = AUTH.replace("name !== ''", "name !== 'x'")
  const project = [{ artifact: 'src/hash.ts', text: HASH }]
  const { changes, conflicts } = await askWell(desk, {
    ask: 'merge',
    key: 'a',
    parts: [toPart(ours, theirs)],
    project,
  })
  assert.deepEqual(conflicts, [])
  const [change] = changes
  assert.ok(change !== undefined)
  assert.match(change.after, /name !== 'x'[\s\S]*console\.log\('out'\)/u)
  assert.deepEqual(change.symbols, ['src/auth.ts class:AuthService/method:login'])
  assert.equal(applySplices(ours, change.splices), change.after)
  const open = await askWell(desk, {
    ask: 'merge',
    key: 'a',
    parts: [toPart(AUTH.replace("name !== ''", "name !== 'y'"), theirs)],
    project,
  })
  assert.deepEqual(
    [open.changes, open.conflicts.map(({ artifact, path }) => `${artifact} ${path}`)],
    [[], ['src/auth.ts class:AuthService/method:login']],
  )
})

test('a merge does not bring a caller of what the other side gave another name, in another artifact', async () => {
  const caller = AUTH.replace('return hash(name)', 'return hash(name) + hash(name)')
  const renamed = HASH.replace('hash', 'digest')
  const { changes, conflicts } = await askWell(desk, {
    ask: 'merge',
    key: 'a',
    parts: [toPart(caller, AUTH), toPart(HASH, renamed, 'src/hash.ts', HASH)],
    project: [],
  })
  assert.deepEqual(changes, [])
  assert.deepEqual([conflicts[0]?.kind, conflicts[0]?.artifact], ['rename', 'src/auth.ts'])
})

test('a comparison is by symbols and by lines, and by lines alone where nothing reads a text', async () => {
  const after = AUTH.replace('function check', 'function verify').replace(
    'logout(): void {}',
    'logout(): void {}\n\n  reset(): void {}',
  )
  const found = await askWell(desk, {
    ask: 'compare',
    before: { artifact: 'src/auth.ts', text: AUTH },
    after: { artifact: 'src/auth.ts', text: after },
  })
  assert.equal(found.by, 'symbols')
  assert.deepEqual(
    [found.added.map(({ path }) => path), found.renamed.map(({ path, was }) => [was, path])],
    [['class:AuthService/method:reset'], [['function:check', 'function:verify']]],
  )
  assert.deepEqual(found.lines[0], {
    from: 10,
    to: 10,
    removed: [],
    added: ['', '  reset(): void {}'],
  })
  const gone = await askWell(desk, {
    ask: 'compare',
    before: { artifact: 'src/hash.ts', text: HASH },
    after: null,
  })
  assert.deepEqual(
    gone.removed.map(({ path, lines }) => [path, lines]),
    [['function:hash', [1, 3]]],
  )
  const plain = await askWell(desk, {
    ask: 'compare',
    before: { artifact: 'a.txt', text: 'a\nb\n' },
    after: { artifact: 'a.txt', text: 'a\nc\n' },
  })
  assert.deepEqual(
    [plain.by, plain.lines],
    ['lines', [{ from: 2, to: 2, removed: ['b'], added: ['c'] }]],
  )
})
