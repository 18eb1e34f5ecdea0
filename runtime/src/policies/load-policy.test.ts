import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Policy } from 'rubicon-kernel'
import { sha256 } from '../adapters/system/sha256.ts'
import { createRuntime } from '../compose.ts'
import { CONTRACT, exampleCapability } from '../evidence/example.test-support.ts'
import { buildRuleBook } from '../rule-book.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import { draftPolicy, loadPolicy } from './load-policy.ts'

const folder = temporaryFolder()

function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const CEDAR = `@id("closed") forbid(principal, action == Action::"REFUND", resource)
when { context.params.order == "o-closed" };`

async function load(path: string): Promise<Policy> {
  const loaded = await loadPolicy(path, { sha256 })
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.error.summary)
  return loaded.value
}

test('a policy swapped for another of the same name and version changes the rules hash', async () => {
  const before = await load(write('limits.cedar', CEDAR))
  const after = await load(write('limits.cedar', CEDAR.replace('o-closed', 'o-open')))
  assert.equal(before.name, after.name)
  const hashes = [before, after].map((policy) => {
    const book = buildRuleBook([], [policy], sha256)
    return book.ok ? book.value.hash : ''
  })
  assert.notEqual(hashes[0], hashes[1])
})

test('a TypeScript policy is pinned by the bytes of its file, whatever it says of itself', async () => {
  const text = `export const policy = { name: 'quiet', version: '1', source: { kind: 'unpinned' },
  evaluate: () => ({ decision: null }) }`
  const { source } = await load(write('quiet.ts', text))
  assert.equal(source.kind, 'file')
})

test('a file that is missing, or holds no policy, is refused', async () => {
  const missing = await loadPolicy(join(folder, 'nowhere.cedar'), { sha256 })
  assert.equal(missing.ok ? '' : missing.error.code, 'FILE_UNREADABLE')
  const empty = await loadPolicy(write('empty.ts', 'export const other = 1'), { sha256 })
  assert.equal(empty.ok ? '' : empty.error.code, 'POLICY_INVALID')
})

test('what cannot be parsed is refused with the line, however deep it is nested', async () => {
  const summaryOf = async (name: string, text: string): Promise<string> => {
    const loaded = await loadPolicy(write(name, text), { sha256 })
    return loaded.ok ? '' : loaded.error.summary
  }
  const typo = `// é: two bytes\n${CEDAR.replace('== "o', 'lik "o')}`
  assert.match(await summaryOf('a.cedar', typo), /line 3, column 29: unexpected token `lik`$/)
  const two = `${typo}\npermit(principal, action, resource) when { 1 < };`
  assert.match(await summaryOf('b.cedar', two), /line 3, column 29: .*; line 4, column 48: /)
  const call = 'permit(principal, action, resource) when { foo(1) };'
  assert.match(await summaryOf('c.cedar', call), /line 1, column 44: .*\(did you mean /)
  const deep = `${'('.repeat(100_000)}true${')'.repeat(100_000)}`
  assert.match(
    await summaryOf('d.cedar', `permit(principal, action, resource) when {${deep}};`),
    /nested too deeply/,
  )
  assert.match(await summaryOf('e.ts', 'export const policy = {\n  a: 1 b: 2\n}'), /line 2: /)
  assert.match(await summaryOf('f.ts', 'throw new Error("no calendar")'), /no calendar$/)
  await load(write('g.cedar', CEDAR))
})

test('a text that says less than it seems to is taken by nobody, in no form', async () => {
  const forbid = 'forbid(principal, action, resource);'
  const texts: readonly [string, RegExp][] = [
    ['\n', /has no rule/],
    [`// ${forbid}\n`, /has no rule/],
    // A new line in an editor, and one comment to Cedar.
    [`permit(principal, action, resource);\n// note\u2028${forbid}\n`, /U\+2028/],
    [`// \u202e${forbid}\n${forbid}`, /U\+202E/],
    [`${forbid}// \ud800\n`, /surrogate/],
    [`@require_approval("desk") permit(principal, action, resource);`, /asks nobody/],
    [`@require_approval(" ") ${forbid}`, /names no channel/],
    [`@require_approval ${forbid}`, /names no channel/],
    [`@require_approval("\u200b\u2800") ${forbid}`, /names no channel/],
  ]
  for (const [text, said] of texts) {
    const named = { name: 'desk', text }
    const all = [
      await loadPolicy(text, { sha256 }),
      await loadPolicy(named, { sha256 }),
      draftPolicy(named, sha256),
    ]
    for (const loaded of all) assert.match(loaded.ok ? 'taken' : loaded.error.summary, said)
  }
  const latin = Buffer.from(CEDAR.replace('o-closed', 'Zürich'), 'latin1')
  const strange = await loadPolicy(write('latin.cedar', latin), { sha256 })
  assert.match(strange.ok ? 'taken' : strange.error.summary, /is not UTF-8/)
  const marked = await load(write('marked.cedar', `\uFEFF${CEDAR}`))
  assert.deepEqual(marked.source, (await load(write('plain.cedar', CEDAR))).source)
})

test('a runtime takes a policy by its path, and its denial names the rule', async () => {
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: join(folder, 'state'),
    capabilities: [exampleCapability(() => assert.fail('nothing may be sent'))],
  })
  await runtime.policy(write('desk.cedar', CEDAR))
  await runtime.deploy(CONTRACT)
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const params = { order: 'o-closed', amount: '20.00' }
  const answer = await flow.propose({ policy_kind: 'REFUND', params })
  assert.equal(answer.reason_code, 'POLICY_DENIED')
  assert.deepEqual(answer.feedback?.details.rules, ['closed'])
  await runtime.close()
})
